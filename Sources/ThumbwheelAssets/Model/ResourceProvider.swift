import ThumbwheelCore

/// An object of the host program that supplies the bytes of a file on demand.
public protocol ResourceProvider: Sendable {
    /// The host program's name for the bytes. Two providers with the same name supply the same bytes. When a library is
    /// loaded from its file, the host is asked for the provider with this name.
    var identifier: String { get }

    /// Whether `open`, or reading from the source that it returns, may wait for a network.
    var requiresNetwork: Bool { get }

    /// Whether a short range of bytes can be read at a fraction of the cost of the whole file. The default is false.
    /// The value matters only for a provider that requires a network:
    ///
    /// - If it is true, previews are made from ranges, and so are images that need only parts of a long file. The
    ///   ranges are read from a source that `open` returns, on threads that are allowed to block. All other images are
    ///   made from the bytes that `fetch` returns.
    /// - If it is false, images of photographs are made from the bytes that `fetch` returns, and videos get no images.
    var offersRanges: Bool { get }

    /// Opens the bytes for reading in ranges. An import, for example, uses it to read the metadata at the start of a
    /// file.
    ///
    /// It is called on threads that are allowed to block. If the provider requires no network, images are also rendered
    /// from the returned source.
    ///
    /// - Throws: `ByteSourceError` if the bytes are unavailable.
    func open() throws(ByteSourceError) -> any ByteSource

    /// Loads all bytes into memory, so that an image can be rendered from them without waiting.
    ///
    /// The library calls this method for providers that require a network, for a limited number of them at the same
    /// time, and never on a rendering thread. The method must return soon after its task is cancelled. The default
    /// implementation reads the bytes, piece by piece, from the source that `open` returns.
    ///
    /// - Parameters:
    ///   - byteLimit: the greatest number of bytes to load. If there are more, throw `.network(.tooLarge)`.
    ///   - progress: to be called with the fraction of the bytes that has arrived, as often as the implementation
    ///     likes.
    /// - Throws: `ByteSourceError`; `.network` if the bytes have not arrived.
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
                // The bytes are read on a thread that is allowed to block. Threads of Swift's pool are not, and in
                // Dispatch's pool there may be no free thread, because handlers of the host program may occupy all of
                // them.
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
