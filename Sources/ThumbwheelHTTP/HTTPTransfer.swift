import ThumbwheelCore

/// Bringing a file, or a part of one, whatever number of requests it takes: a plain value that is told what happens and
/// says what is to be done.
struct HTTPTransfer {
    /// What names one state of a file: all parts that are read of it must be parts of the same.
    struct File: Equatable {
        var byteCount: Int
        /// An entity tag, or else a date of modification.
        var validator: String?
    }

    enum Wanted: Equatable {
        case whole
        /// A part; of a file that is known already, or of whatever is there.
        case part(Range<Int>, of: File?)
    }

    struct Request: Equatable {
        var headers: [(name: String, value: String)] = []

        static func == (one: Request, other: Request) -> Bool {
            one.headers.elementsEqual(other.headers) { $0 == $1 }
        }
    }

    /// What arrived: all of `file`, or the part from `offset` on.
    struct Content: Equatable {
        var bytes: [UInt8]
        var offset: Int
        var file: File
    }

    enum Outcome: Equatable {
        case done(Content)
        case failed(NetworkError)
        case retry(after: Duration)
    }

    /// What the rest of an answer is good for.
    private enum Answer {
        case awaited
        case content(expectedByteCount: Int?)
        /// Of no use, but read to its end, so that the connection can be used again.
        case discarded(Outcome)
    }

    private static let discardLimit = 64 << 10

    let wanted: Wanted
    private let byteLimit: Int
    private let configuration: HTTPClient.Configuration
    private var bytes: [UInt8] = []
    private var offset = 0
    private var file: File?
    private var answer = Answer.awaited
    private var discardedByteCount = 0
    private var retryCount = 0

    init(_ wanted: Wanted, byteLimit: Int, _ configuration: HTTPClient.Configuration) {
        self.wanted = wanted
        self.byteLimit = byteLimit
        self.configuration = configuration
    }

    /// Which fraction of the answer's bytes is here; nil where the server did not say how many they are.
    var progress: Double? {
        guard case .content(let expected?) = answer, expected > 0 else { return nil }
        return Double(bytes.count) / Double(expected)
    }

    // MARK: Events

    /// The next request.
    mutating func begin() -> Request {
        answer = .awaited
        discardedByteCount = 0
        switch wanted {
        case .whole:
            // Only a strong validator promises that the rest belongs to what is here (RFC 9110, 13.1.5).
            guard !bytes.isEmpty, let validator = file?.validator, Self.isStrong(validator) else {
                restart()
                return Request()
            }
            return Request(headers: [("Range", "bytes=\(bytes.count)-"), ("If-Range", validator)])
        case .part(let range, let known):
            restart()
            var request = Request(headers: [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")])
            if let validator = known?.validator, Self.isStrong(validator) {
                request.headers.append(("If-Range", validator))
            }
            return request
        }
    }

    /// The head of an answer.
    ///
    /// - Returns: how the transfer ends, where there is nothing to read the rest for.
    mutating func receive(_ head: HTTPAnswerHead) -> Outcome? {
        switch head.status {
        case 200: return receiveWhole(head)
        case 206: return receivePart(head)
        case 416 where head.contentRange?.total == 0 && wanted != .whole:
            answer = .discarded(.done(Content(bytes: [], offset: 0, file: File(byteCount: 0, validator: nil))))
        case 416 where !bytes.isEmpty:
            restart()
            answer = .discarded(retry(or: .changed))
        case 408, 429, 500, 502, 503, 504:
            answer = .discarded(retry(or: .status(head.status), after: head.retryAfter))
        default:
            answer = .discarded(.failed(.status(head.status)))
        }
        return nil
    }

    /// More of the answer's bytes.
    mutating func receive(_ data: some Collection<UInt8>) -> Outcome? {
        switch answer {
        case .awaited: return nil
        case .content:
            guard bytes.count + data.count <= byteLimit else { return .failed(.tooLarge(limit: byteLimit)) }
            bytes.append(contentsOf: data)
            return nil
        case .discarded(let outcome):
            discardedByteCount += data.count
            return discardedByteCount > Self.discardLimit ? outcome : nil
        }
    }

    /// The answer is over, or the connection broke.
    mutating func end(_ error: NetworkError?) -> Outcome {
        switch answer {
        case .awaited: return retry(or: error ?? .invalidResponse(reason: "no answer"))
        case .discarded(let outcome): return outcome
        case .content(let expected):
            if let expected, bytes.count < expected {
                let isSilent = error == .timedOut
                return retry(
                    or: isSilent
                        ? .timedOut : .truncated(receivedByteCount: bytes.count, expectedByteCount: expected))
            }
            if let error, expected == nil { return retry(or: error) }
            return finish()
        }
    }

    // MARK: Answers

    private mutating func receiveWhole(_ head: HTTPAnswerHead) -> Outcome? {
        // The whole file, from the start, whatever was asked for: the server knows no ranges, or has another file by now.
        restart()
        let whole = File(byteCount: head.contentLength ?? -1, validator: head.validator)
        if case .part(_, let known?) = wanted, !Self.isSame(known, whole) { return .failed(.changed) }
        if let length = head.contentLength, length > byteLimit { return .failed(.tooLarge(limit: byteLimit)) }
        file = whole
        answer = .content(expectedByteCount: head.contentLength)
        bytes.reserveCapacity(min(head.contentLength ?? 0, byteLimit))
        return nil
    }

    private mutating func receivePart(_ head: HTTPAnswerHead) -> Outcome? {
        guard let range = head.contentRange, let part = range.part, let total = range.total else {
            return .failed(.invalidResponse(reason: "a part of a file that does not say which"))
        }
        let whole = File(byteCount: total, validator: head.validator)
        switch wanted {
        case .whole:
            guard let file, !bytes.isEmpty, part.lowerBound == bytes.count, part.upperBound == total,
                whole.validator == file.validator
            else {
                guard bytes.isEmpty else {
                    restart()
                    return retry(or: .changed)
                }
                return .failed(.invalidResponse(reason: "a part of a file where all of it was asked for"))
            }
            answer = .content(expectedByteCount: total)
        case .part(let wanted, let known):
            if let known, !Self.isSame(known, whole) { return .failed(.changed) }
            guard part.lowerBound == wanted.lowerBound, part.upperBound <= wanted.upperBound else {
                return .failed(.invalidResponse(reason: "another part of the file than was asked for"))
            }
            guard total <= byteLimit else { return .failed(.tooLarge(limit: byteLimit)) }
            offset = part.lowerBound
            answer = .content(expectedByteCount: part.count)
        }
        file = whole
        return nil
    }

    private mutating func finish() -> Outcome {
        guard var file else { preconditionFailure("content without a head") }
        // Of a file whose length was not told, what came is all of it.
        if file.byteCount < 0 { file.byteCount = bytes.count }
        return .done(Content(bytes: bytes, offset: offset, file: file))
    }

    private mutating func restart() {
        bytes = []
        offset = 0
        file = nil
    }

    private mutating func retry(or error: NetworkError, after asked: Duration? = nil) -> Outcome {
        let isWorthIt =
            switch error {
            case .cancelled, .tooLarge: false
            default: true
            }
        guard isWorthIt, retryCount < configuration.retryLimit else { return .failed(error) }
        if let asked, asked > configuration.longestDelay { return .failed(error) }
        let doubled = configuration.firstDelay * (1 << min(retryCount, 30))
        retryCount += 1
        return .retry(after: max(asked ?? .zero, min(doubled, configuration.longestDelay)))
    }

    private static func isStrong(_ validator: String) -> Bool { validator.hasPrefix("\"") }

    /// Whether two answers spoke of the same state of a file, as far as can be told.
    private static func isSame(_ known: File, _ now: File) -> Bool {
        (now.byteCount < 0 || known.byteCount == now.byteCount) && known.validator == now.validator
    }
}
