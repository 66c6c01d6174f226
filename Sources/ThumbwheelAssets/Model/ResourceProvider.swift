import ThumbwheelCore

/// A source of bytes that the host supplies on demand.
public protocol ResourceProvider: Sendable {
    /// The host's name for the bytes. Providers with the same name are the same source. A library that is loaded from
    /// its file asks the host for the provider with that name.
    var identifier: String { get }

    /// Whether `open`, or reading from the source that it returns, may have to wait for a network.
    var requiresNetwork: Bool { get }

    /// Whether reading a range from the source that `open` returns costs about as much as the range is long. If so, previews
    /// and images that need only parts of a long file are made of these parts, and `fetch` is called only for images that
    /// need the whole file. The default is false.
    ///
    /// The parts are read from a source that `open` returns for the purpose, on threads that may wait.
    var offersRanges: Bool { get }

    /// Opens the bytes for reading by ranges, for instance when an import reads the head of a file.
    ///
    /// Called on threads that may wait. If the provider requires no network, renders also read from the returned source.
    ///
    /// - Throws: `ByteSourceError` if the bytes are unavailable.
    func open() throws(ByteSourceError) -> any ByteSource

    /// Loads all the bytes into memory, so that a render can read them without waiting.
    ///
    /// The library calls this for providers that require a network, a bounded number at a time, and never on a
    /// rendering thread. It must return soon after its task is cancelled. The default implementation reads the bytes
    /// part by part from the source that `open` returns.
    ///
    /// - Parameters:
    ///   - byteLimit: the greatest number of bytes to load; a longer file throws `.network(.tooLarge)`.
    ///   - progress: called any number of times with the fraction of the bytes that has arrived.
    /// - Throws: `ByteSourceError`, with `.network` if the bytes did not arrive.
    func fetch(
        upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void
    ) async throws(ByteSourceError) -> [UInt8]
}

extension ResourceProvider {
    public var offersRanges: Bool { false }

    public func fetch(
        upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void
    ) async throws(ByteSourceError) -> [UInt8] {
        let token = CancellationToken()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Reads on a thread that may block. Swift's thread pool must not be blocked, and Dispatch's pool may
                // have no free thread, because handlers of the host may block all of them.
                BlockingThreads.reads.run {
                    continuation.resume(
                        returning: Result { () throws(ByteSourceError) in
                            try readAll(upTo: byteLimit, progress: progress, cancellation: token)
                        })
                }
            }
        } onCancel: {
            token.cancel()
        }
        return try result.get()
    }

    private func readAll(
        upTo byteLimit: Int, progress: (Double) -> Void, cancellation: CancellationToken
    ) throws(ByteSourceError) -> [UInt8] {
        let pieceByteCount = 256 << 10
        let source = try open()
        guard source.byteCount <= byteLimit else { throw .network(.tooLarge(limit: byteLimit)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.byteCount)
        while bytes.count < source.byteCount {
            guard !cancellation.isCancelled else { throw .network(.cancelled) }
            let piece = try source.bytes(in: bytes.count..<bytes.count + pieceByteCount)
            guard !piece.isEmpty else {
                throw .network(.truncated(receivedByteCount: bytes.count, expectedByteCount: source.byteCount))
            }
            bytes += piece
            progress(Double(bytes.count) / Double(source.byteCount))
        }
        return bytes
    }
}
