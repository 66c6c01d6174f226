#if os(Linux)
import Glibc
import ThumbwheelCore

/// A decoder process: it does the jobs of its host one after another, under a filter that lets it do nothing else.
struct DecoderProcess {
    private let connection: HostConnection
    private let work: DecoderProgram.Work

    init(descriptor: Int32, work: @escaping DecoderProgram.Work) {
        connection = HostConnection(MessageSocket(descriptor: descriptor))
        self.work = work
    }

    func serve(containment: Containment, processDescriptor: Int32) -> Never {
        let greeting = DecoderMessage.ready(process: Int(getpid()), containment: containment)
        guard connection.send(greeting, with: processDescriptor) else { _exit(0) }
        close(processDescriptor)
        while let (message, descriptor) = connection.receive() {
            guard case .job(let job) = message, run(job, descriptor) else { _exit(1) }
        }
        _exit(0)
    }

    /// Does one job, and sends its results to the host, the program that uses this library.
    ///
    /// - Returns: false if the host has ended, or does not follow the protocol.
    private func run(_ job: DecodeJob, _ descriptor: PassedDescriptor?) -> Bool {
        let source: any ByteSource
        switch job.contents {
        case .file(let start, let byteCount):
            guard let descriptor else { return false }
            source = PassedFile(descriptor, start: start, byteCount: byteCount)
        case .requested(let byteCount, let front):
            source = RequestedSource(from: connection, byteCount: byteCount, front: front)
        }
        let assistants = LentThreads(connection)
        do throws(RenderError) {
            let results = try work(job, source, assistants)
            assistants.waitForEnds()
            for result in results {
                guard send(result) else { return false }
            }
            return connection.send(.done)
        } catch {
            assistants.waitForEnds()
            return connection.send(.failed(error))
        }
    }

    private func send(_ result: Result<RenderedImage, RenderError>) -> Bool {
        switch result {
        case .failure(let error): return connection.send(.failure(error))
        case .success(let image):
            guard let pixels = image.bitmap.withUnsafeBytes(SealedPixels.make) else {
                return connection.send(.failure(.limitExceeded(limit: .memory)))
            }
            return connection.send(.image(ImageDescription(image)), with: pixels.number)
        }
    }
}
#endif
