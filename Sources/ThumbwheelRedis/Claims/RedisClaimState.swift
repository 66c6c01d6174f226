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
        case release
        case answer(Answer)
    }

    private var phase = Phase.attempting
    private var isSubscribed = false
    /// Whether a message has come since the attempt under way began.
    private var hasNews = false

    /// What is done first.
    static let first: [Action] = [.attempt]

    /// Takes the answers to an attempt.
    mutating func attempted(isWon: Bool, hasValue: Bool) -> [Action] {
        switch phase {
        case .attempting: break
        case .leaving:
            phase = .over
            return isWon ? [.release] : []
        case .subscribing, .waiting, .held, .over: return []
        }
        if hasValue { return (isWon ? [.release] : []) + answer(.found, then: .over) }
        if isWon { return answer(.won, then: .held) }
        guard isSubscribed else {
            phase = .subscribing
            return [.subscribe]
        }
        guard hasNews else {
            phase = .waiting
            return []
        }
        hasNews = false
        return [.attempt]
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
        (phase, isSubscribed, hasNews) = (.attempting, true, false)
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
    mutating func notified() -> [Action] {
        switch phase {
        case .waiting:
            (phase, hasNews) = (.attempting, false)
            return [.attempt]
        case .attempting: hasNews = true
        case .subscribing, .held, .leaving, .over: break
        }
        return []
    }

    /// Ends the claim.
    mutating func end() -> [Action] {
        switch phase {
        case .attempting: return answer(.unavailable, then: .leaving)
        case .subscribing:
            // The subscription may be under way.
            isSubscribed = true
            return answer(.unavailable, then: .over)
        case .waiting: return answer(.unavailable, then: .over)
        case .held:
            phase = .over
            return [.release]
        case .leaving, .over: return []
        }
    }

    private mutating func answer(_ answer: Answer, then phase: Phase) -> [Action] {
        self.phase = phase
        defer { isSubscribed = false }
        return (isSubscribed ? [.unsubscribe] : []) + [.answer(answer)]
    }
}
