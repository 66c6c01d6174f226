import ThumbwheelCore

/// Makes one thumbnail from one file, without a library or a manager.
///
/// ```swift
/// let bitmap = try await Thumbnail.image(atPath: path, size: PixelSize(width: 256, height: 256))
/// let jpeg = try bitmap.encoded(as: .jpeg(quality: 85))
/// ```
public enum Thumbnail {
    /// Renders an image at the given size, on one of the library's own threads. At most as many renderings run at once
    /// as there are processors.
    ///
    /// Cancelling the task ends the rendering with `RenderError.cancelled`.
    ///
    /// - Parameters:
    ///   - source: the file's bytes.
    ///   - size: the size of the target in pixels.
    ///   - contentMode: whether the image covers the target, or lies inside it.
    ///   - options: all other options of the rendering. Their own target size and content mode are ignored.
    /// - Throws: `RenderError`; `.cancelled` if the task was cancelled.
    public static func image(
        from source: any ByteSource, size: PixelSize, contentMode: ContentMode = .aspectFill,
        options: RenderOptions? = nil,
        limits: RenderLimits = RenderLimits()
    ) async throws(RenderError) -> Bitmap {
        try await image(size, contentMode, options, limits) { () throws(ByteSourceError) in source }
    }

    /// Renders an image whose file is in memory.
    ///
    /// - Throws: `RenderError`; `.cancelled` if the task was cancelled.
    public static func image(
        from bytes: [UInt8], size: PixelSize, contentMode: ContentMode = .aspectFill, options: RenderOptions? = nil,
        limits: RenderLimits = RenderLimits()
    ) async throws(RenderError) -> Bitmap {
        try await image(
            from: MemoryByteSource(bytes), size: size, contentMode: contentMode, options: options, limits: limits)
    }

    /// Renders the image in the file at `path`.
    ///
    /// - Throws: `RenderError`; `.cancelled` if the task was cancelled.
    public static func image(
        atPath path: String, size: PixelSize, contentMode: ContentMode = .aspectFill, options: RenderOptions? = nil,
        limits: RenderLimits = RenderLimits()
    ) async throws(RenderError) -> Bitmap {
        try await image(size, contentMode, options, limits) { () throws(ByteSourceError) in
            try FileByteSource(path: path)
        }
    }

    /// - Parameter open: Opens the source. It is called on the worker thread, because opening a file waits for the
    ///   disk.
    private static func image(
        _ size: PixelSize, _ contentMode: ContentMode, _ options: RenderOptions?, _ limits: RenderLimits,
        of open: @escaping @Sendable () throws(ByteSourceError) -> any ByteSource
    ) async throws(RenderError) -> Bitmap {
        var wanted = options ?? RenderOptions(targetSize: size)
        wanted.targetSize = size
        wanted.contentMode = contentMode
        let request = wanted
        let result = await onWorker { token throws(RenderError) in
            let source: any ByteSource
            do throws(ByteSourceError) {
                source = try open()
            } catch {
                throw .source(error)
            }
            return try Renderer(assistants: WorkerPool.shared).render(
                source, options: request, limits: limits, cancellation: token
            ).bitmap
        }
        return try result.get()
    }

    private static func onWorker<Value: Sendable>(
        _ work: @escaping @Sendable (CancellationToken) throws(RenderError) -> Value
    ) async -> Result<Value, RenderError> {
        let token = CancellationToken()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                WorkerPool.shared.submit {
                    do throws(RenderError) {
                        continuation.resume(returning: .success(try work(token)))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
        } onCancel: {
            token.cancel()
        }
    }
}
