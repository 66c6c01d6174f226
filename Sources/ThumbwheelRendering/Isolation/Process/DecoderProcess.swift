#if os(Linux)
import Glibc
import ThumbwheelCore
import ThumbwheelFormats

/// A decoder process: it does the jobs of its host one after another. A filter of system calls prevents it from doing
/// anything else.
struct DecoderProcess {
    private let connection: HostConnection
    private let render: DecoderProgram.Work
    /// If no job comes for this time, free memory is given back to the system. Until then it is kept, because the next
    /// job may need it.
    private static let restMilliseconds: Int32 = 500

    init(_ socket: MessageSocket, render: @escaping DecoderProgram.Work) {
        connection = HostConnection(socket)
        self.render = render
    }

    func serve(containment: Containment, processDescriptor: Int32) -> Never {
        let greeting = DecoderMessage.ready(process: Int(getpid()), containment: containment)
        guard connection.send(greeting, with: processDescriptor) else { _exit(0) }
        // Without the required protections, the process takes no job. The host has just learnt which ones are missing.
        guard containment.isSuperset(of: .required) else { _exit(73) }
        close(processDescriptor)
        _exit(work() ? 0 : 1)
    }

    /// Does jobs until the host closes the connection.
    ///
    /// - Returns: false if the host does not follow the protocol, or is gone in the middle of a job, or if its window
    ///   cannot be mapped. The host then reports that the decoder has failed, and not that the file is unreadable.
    func work() -> Bool {
        let allocator = AllocatorStatistics()
        // The window that came with the first job that needs one. A host has one window for each process, so those that
        // come later are the same.
        var window: WindowMapping?
        while let (message, descriptor) = connection.receive() {
            guard case .job(let job) = message else { return false }
            if case .requested = job.contents, window == nil, let descriptor {
                guard let mapped = WindowMapping(descriptor) else { return false }
                window = mapped
            }
            guard run(job, descriptor, window) else { return false }
            if !connection.hasMessage(within: Self.restMilliseconds) { allocator.returnFreePages() }
        }
        return true
    }

    /// Does one job, and sends its results to the host, the program that uses this library.
    ///
    /// - Returns: false if the host has ended, or does not follow the protocol.
    private func run(_ job: DecodeJob, _ descriptor: PassedDescriptor?, _ window: WindowMapping?) -> Bool {
        let source: any ByteSource
        switch job.contents {
        case .file(let start, let byteCount):
            guard let descriptor else { return false }
            source = PassedFile(descriptor, start: start, byteCount: byteCount)
        case .requested(let byteCount, let front, let readsAhead):
            source = RequestedSource(
                from: connection, byteCount: byteCount, front: front, window: window, readsAhead: readsAhead)
        }
        let assistants = LentThreads(connection)
        // Ends all use of the connection by this job. If the answer to a question that was asked ahead is still to
        // come, this function receives it. Otherwise `work` would receive it in place of the next job.
        func finish() {
            assistants.waitForEnds()
            _ = connection.collectAnswer()
        }
        do throws(RenderError) {
            let results = try render(job, source, assistants)
            finish()
            for result in results {
                guard send(result) else { return false }
            }
            return connection.send(.done)
        } catch {
            finish()
            return connection.send(.failed(isMissingDecoder(error, source) ? Self.lacksVideos : error))
        }
    }

    /// Whether a job has failed because the host decodes videos, but this program does not. The file is as good as
    /// others then, and must not count as one that cannot be decoded.
    private func isMissingDecoder(_ error: RenderError, _ source: any ByteSource) -> Bool {
        guard error == .unsupportedFormat, !VideoDecoders.isInstalled,
            let start = try? source.bytes(in: 0..<min(ContentType.sniffedByteCount, source.byteCount))
        else { return false }
        return ContentType(sniffingVideo: start) != nil
    }

    private static let lacksVideos = RenderError.unavailable(
        reason: "the program that decodes outside the process has no decoder of videos")

    private func send(_ result: Result<RenderedImage, RenderError>) -> Bool {
        switch result {
        case .failure(let error): return connection.send(.failure(error))
        case .success(let image):
            guard let pixels = image.bitmap.withUnsafeBytes(SealedPixels.make) else {
                return connection.send(.failure(.limitExceeded(limit: .memory)))
            }
            return connection.send(.image(ImageDescription(image)), with: pixels.rawValue)
        }
    }
}
#endif
