/// One server's claim on a value, as a value: what has been asked, and what follows from each answer.
///
/// No wake-up can be lost, and no value is made twice while claims last:
/// - An *attempt* takes the claim if it is free (`SET … NX PX`), and right after it looks for the value (`GET`). Whoever
///   makes a value stores it before the claim is freed. So an attempt that takes the claim and finds no value has found
///   one that nobody has made.
/// - Who does not get the claim subscribes to its channel, and attempts again once the subscription is confirmed. The
///   claim is freed together with a message. If that was before the attempt, the attempt finds the value, or takes the
///   claim. If it was after the attempt, it was after the subscription as well, and the message comes.
/// - A message that comes while an attempt is under way may be younger than the attempt, so another one follows.
/// - Where the value was made and cannot be kept, the message says so, and all who wait make their own at the same time. If
///   each looked again, one of them would win and the others would wait for it, one after another.
struct RedisClaimState: Hashable, Sendable {
    private enum Phase: Hashable {
        case attempting
        case subscribing
        case waiting
        case held
        /// The claim has been ended while an attempt was under way, which may still take it.
        case leaving
        case over
    }

    enum Answer: Hashable, Sendable {
        case found, won, unavailable
    }

    enum Action: Hashable, Sendable {
        case attempt
        case subscribe
        case unsubscribe
        /// Frees the claim if it is still this one, and wakes all who wait.
        case release(RedisClaimMessage)
        case answer(Answer)
    }

    private var phase = Phase.attempting
    private var isSubscribed = false
    /// The latest message that has come since the attempt under way began.
    private var news: RedisClaimMessage?

    /// What is done first.
    static let first: [Action] = [.attempt]

    /// Takes the answers to an attempt.
    mutating func attempted(isWon: Bool, hasValue: Bool) -> [Action] {
        switch phase {
        case .attempting: break
        case .leaving:
            phase = .over
            return isWon ? [.release(.lookAgain)] : []
        case .subscribing, .waiting, .held, .over: return []
        }
        if hasValue { return (isWon ? [.release(.lookAgain)] : []) + answer(.found, then: .over) }
        if isWon { return answer(.won, then: .held) }
        guard isSubscribed else {
            phase = .subscribing
            return [.subscribe]
        }
        switch news.take() {
        case nil:
            phase = .waiting
            return []
        case .lookAgain: return [.attempt]
        case .noValue: return answer(.unavailable, then: .over)
        }
    }

    /// Notes that an attempt has not been answered, or is refused.
    mutating func attemptFailed() -> [Action] {
        switch phase {
        case .attempting: return answer(.unavailable, then: .over)
        case .leaving: phase = .over
        case .subscribing, .waiting, .held, .over: break
        }
        return []
    }

    /// Notes that the server has confirmed the subscription.
    mutating func subscribed() -> [Action] {
        guard phase == .subscribing else { return [] }
        (phase, isSubscribed, news) = (.attempting, true, nil)
        return [.attempt]
    }

    /// Notes that the subscription has failed, or has been lost.
    mutating func unsubscribed() -> [Action] {
        switch phase {
        case .subscribing, .waiting:
            isSubscribed = false
            return answer(.unavailable, then: .over)
        case .attempting, .leaving: isSubscribed = false
        case .held, .over: break
        }
        return []
    }

    /// Takes a message: the claim was freed.
    mutating func notified(_ message: RedisClaimMessage) -> [Action] {
        switch phase {
        case .waiting:
            guard message == .lookAgain else { return answer(.unavailable, then: .over) }
            phase = .attempting
            return [.attempt]
        case .attempting: news = message
        case .subscribing, .held, .leaving, .over: break
        }
        return []
    }

    /// Ends the claim.
    ///
    /// - Parameter message: what those that wait are told, if the claim was won.
    mutating func end(_ message: RedisClaimMessage = .lookAgain) -> [Action] {
        switch phase {
        case .attempting: return answer(.unavailable, then: .leaving)
        case .subscribing:
            // The subscription may be under way.
            isSubscribed = true
            return answer(.unavailable, then: .over)
        case .waiting: return answer(.unavailable, then: .over)
        case .held:
            phase = .over
            return [.release(message)]
        case .leaving, .over: return []
        }
    }

    private mutating func answer(_ answer: Answer, then phase: Phase) -> [Action] {
        self.phase = phase
        defer { isSubscribed = false }
        return (isSubscribed ? [.unsubscribe] : []) + [.answer(answer)]
    }
}
