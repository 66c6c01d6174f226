import ThumbwheelCore

/// Bytes that the host hands out on demand.
public protocol ResourceProvider: Sendable {
    /// Names the bytes within the host: providers of one name are one source, and a library that is loaded from its file
    /// asks the host for them by it.
    var identifier: String { get }

    /// Whether `open` or what it returns may have to wait for a network.
    var requiresNetwork: Bool { get }

    /// Opens the bytes for reading by ranges, as an import does that wants the head of a file.
    ///
    /// Called on threads that may wait. Of a provider that requires no network, renders read what this returns.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be had.
    func open() throws(ByteSourceError) -> any ByteSource

    /// Brings all the bytes into memory, for renders that then wait for nothing.
    ///
    /// Asked of providers that require the network, a bounded number at a time, and never on a thread that renders. Returns
    /// soon after its task is cancelled. Unless the provider has its own way, the bytes are read in pieces from what `open`
    /// returns.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes to bring; longer files are `.network(.tooLarge)`.
    ///   - progress: to be told, any number of times, the fraction of the bytes that are here.
    /// - Throws: `ByteSourceError`, `.network` for bytes that did not come.
    func fetch(
        upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void
    ) async throws(ByteSourceError) -> [UInt8]
}

extension ResourceProvider {
    public func fetch(
        upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void
    ) async throws(ByteSourceError) -> [UInt8] {
        let token = CancellationToken()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Reads on a thread that may block. Swift's pool has no thread to spare, and Dispatch's pool none while
                // handlers of the host block it.
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
