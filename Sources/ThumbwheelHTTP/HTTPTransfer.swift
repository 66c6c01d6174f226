import ThumbwheelCore

/// The transfer of a file or of a part of it, in as many requests as it takes. It is a plain value that receives events and
/// answers each with the next step.
struct HTTPTransfer {
    /// Identifies one state of a file. All parts that are read must belong to the same state.
    struct File: Equatable {
        var byteCount: Int
        /// The file's entity tag, or else its date of modification.
        var validator: String?
    }

    enum Wanted: Equatable {
        case whole
        /// A part of a file: of the state that is already known, or, if that is nil, of whatever state the server has.
        case part(Range<Int>, of: File?)
    }

    struct Request: Equatable {
        var headers: [(name: String, value: String)] = []

        static func == (one: Request, other: Request) -> Bool {
            one.headers.elementsEqual(other.headers) { $0 == $1 }
        }
    }

    /// The bytes that arrived: all of `file`, or the part from `offset` on.
    struct Content: Equatable {
        var bytes: [UInt8]
        var offset: Int
        var file: File
    }

    enum Outcome: Equatable {
        case done(Content)
        case failed(NetworkError)
        case retry(after: Duration)
        /// All announced bytes have come, but they are fewer than were requested: the next request asks for the rest.
        case next
    }

    /// The use that the rest of an answer has.
    private enum Answer {
        case awaited
        case content(expectedByteCount: Int?)
        /// The answer has no use, but is read to its end, so that the connection can be reused.
        case discarded(Outcome)
    }

    /// The bytes of a body without a use that are read, as far as is worth a connection.
    static let discardLimit = 64 << 10
    /// The least number of bytes of a part that is smaller than requested. A server may answer in small parts, with a request
    /// for each, but not byte by byte.
    private static let leastPartByteCount = 64
    /// The greatest number of successive answers that a transfer accepts for one range. A server that can send larger parts
    /// needs few answers.
    private static let answerLimit = 1024

    let wanted: Wanted
    private let byteLimit: Int
    private let configuration: HTTPClient.Configuration
    private var bytes: [UInt8] = []
    private var offset = 0
    private var file: File?
    private var answer = Answer.awaited
    private var discardedByteCount = 0
    private var retryCount = 0
    /// The number of answers so far that were complete, but shorter than requested.
    private var partCount = 0
    /// Whether the last answer was complete, but shorter than requested: the next request continues where it ended.
    private var goesOn = false

    init(_ wanted: Wanted, byteLimit: Int, _ configuration: HTTPClient.Configuration) {
        self.wanted = wanted
        self.byteLimit = byteLimit
        self.configuration = configuration
    }

    /// The fraction of the answer's bytes that has arrived; nil if the server did not state their number.
    var progress: Double? {
        guard case .content(let expected?) = answer, expected > 0 else { return nil }
        return Double(bytes.count) / Double(wanted == .whole ? file!.byteCount : expected)
    }

    // MARK: Events

    /// Begins a request, and returns its header fields.
    mutating func begin() -> Request {
        answer = .awaited
        discardedByteCount = 0
        // After a broken answer, only a strong validator proves that the rest belongs to the bytes received so far (RFC
        // 9110, 13.1.5).
        if !goesOn, !(file?.validator.map(Self.isStrong) ?? false) { restart() }
        goesOn = false
        var request = Request()
        let validator: String?
        switch wanted {
        case .whole:
            guard !bytes.isEmpty else { return request }
            validator = file?.validator
            request.headers.append(("Range", "bytes=\(bytes.count)-"))
        case .part(let range, let known):
            // An earlier answer with the whole file began at another place than this range, and may have brought more bytes
            // than the range has.
            if bytes.isEmpty || offset != range.lowerBound || bytes.count >= range.count { restart() }
            validator = (known ?? file)?.validator
            request.headers.append(("Range", "bytes=\(range.lowerBound + bytes.count)-\(range.upperBound - 1)"))
        }
        if let validator, Self.isStrong(validator) { request.headers.append(("If-Range", validator)) }
        return request
    }

    /// Receives the head of an answer.
    ///
    /// - Returns: how the transfer goes on, if the rest of the answer need not be read; nil otherwise.
    mutating func receive(_ head: HTTPAnswerHead) -> Outcome? {
        if head.hasContradictoryLengths { return .failed(.invalidResponse(reason: "several lengths")) }
        switch head.status {
        case 200: return receiveWhole(head)
        case 206: return receivePart(head)
        case 416 where head.contentRange?.total == 0 && wanted != .whole && bytes.isEmpty:
            let empty = Content(bytes: [], offset: 0, file: File(byteCount: 0, validator: nil))
            answer = .discarded(known == nil ? .done(empty) : .failed(.changed))
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

    /// Receives more bytes of the answer.
    mutating func receive(_ data: some Collection<UInt8>) -> Outcome? {
        switch answer {
        case .awaited: return nil
        case .content(let expected):
            guard data.count <= (expected ?? .max) - bytes.count else {
                return .failed(.invalidResponse(reason: "more bytes than it said there would be"))
            }
            guard data.count <= byteLimit - bytes.count else { return .failed(.tooLarge(limit: byteLimit)) }
            bytes.append(contentsOf: data)
            return nil
        case .discarded(let outcome):
            discardedByteCount += data.count
            return discardedByteCount > Self.discardLimit ? outcome : nil
        }
    }

    /// Handles the end of an answer, or the error with which the connection broke.
    mutating func end(_ error: NetworkError?) -> Outcome {
        // However the body of an answer of no use ends, its head has decided.
        if case .discarded(let outcome) = answer { return outcome }
        // After an invalid answer there is no retry, because another attempt would get the same answer.
        if case .invalidResponse? = error { return .failed(error!) }
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
        // The server sends the whole file from the start, whatever was requested: it does not support ranges, or has another
        // state of the file by now.
        restart()
        var whole = File(byteCount: head.contentLength ?? -1, validator: head.validator)
        if head.isEncoded {
            // The answer is compressed: parts would be parts of the compressed form, and its length is not the length of the
            // file.
            guard wanted == .whole else { return .failed(Self.encoded) }
            whole = File(byteCount: -1, validator: nil)
        }
        if let known, !Self.isSame(known, whole) { return .failed(.changed) }
        guard whole.byteCount <= byteLimit else { return .failed(.tooLarge(limit: byteLimit)) }
        file = whole
        answer = .content(expectedByteCount: whole.byteCount < 0 ? nil : whole.byteCount)
        bytes.reserveCapacity(max(whole.byteCount, 0))
        return nil
    }

    private mutating func receivePart(_ head: HTTPAnswerHead) -> Outcome? {
        guard !head.isEncoded else { return .failed(Self.encoded) }
        guard let range = head.contentRange, let part = range.part, let total = range.total else {
            return .failed(.invalidResponse(reason: "a part of a file that does not say which"))
        }
        let whole = File(byteCount: total, validator: head.validator)
        if let known, !Self.isSame(known, whole) { return .failed(.changed) }
        // If the first answer did not state a length, `file` fits a file of any length, so it is the second argument here.
        if let file, !bytes.isEmpty, !Self.isSame(whole, file) {
            restart()
            return retry(or: .changed)
        }
        guard bytes.count <= total else {
            // The file was longer when its first bytes came without a length.
            restart()
            return retry(or: .changed)
        }
        var askedFor = bytes.count..<total
        if case .part(let range, _) = wanted {
            askedFor = range.lowerBound + bytes.count..<range.upperBound
        } else if bytes.isEmpty {
            return .failed(.invalidResponse(reason: "a part of a file where all of it was asked for"))
        }
        guard part.lowerBound == askedFor.lowerBound, part.upperBound <= askedFor.upperBound else {
            return .failed(.invalidResponse(reason: "another part of the file than was asked for"))
        }
        guard part.count >= min(Self.leastPartByteCount, askedFor.count) || part.upperBound == total else {
            return .failed(.invalidResponse(reason: "too few bytes"))
        }
        guard total <= byteLimit else { return .failed(.tooLarge(limit: byteLimit)) }
        if bytes.isEmpty { offset = part.lowerBound }
        answer = .content(expectedByteCount: bytes.count + part.count)
        file = whole
        return nil
    }

    private mutating func finish() -> Outcome {
        guard var file else { preconditionFailure("content without a head") }
        // If the server did not state the file's length, the bytes that came are the whole file.
        if file.byteCount < 0 { file.byteCount = bytes.count }
        if let known, known.byteCount != file.byteCount { return .failed(.changed) }
        var end = file.byteCount
        if case .part(let range, _) = wanted { end = min(end, range.upperBound) }
        guard offset + bytes.count >= end else {
            partCount += 1
            guard partCount < Self.answerLimit else { return .failed(.invalidResponse(reason: "too many small parts")) }
            goesOn = true
            return .next
        }
        return .done(Content(bytes: bytes, offset: offset, file: file))
    }

    /// The state of the file that the part must belong to, if it is known.
    private var known: File? {
        guard case .part(_, let known) = wanted else { return nil }
        return known
    }

    private static let encoded = NetworkError.invalidResponse(
        reason: "an encoded form of the file, which was not asked for")

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

    /// Whether two answers describe the same state of a file, as far as can be told.
    private static func isSame(_ known: File, _ now: File) -> Bool {
        (now.byteCount < 0 || known.byteCount == now.byteCount) && known.validator == now.validator
    }
}
