import ThumbwheelCore

#if os(Linux)
import Glibc
#endif

/// The program that decodes files outside the host's process. The host is a program that uses this library. Any
/// executable that calls `run()` first can serve as the host's decoder.
public enum DecoderProgram {
    /// The name under which hosts start the program, whatever its file is called.
    public static let name = "thumbwheel-decoder"

    /// A function that does a job. Tests give `run` a function of their own, to see how the host copes with a faulty
    /// decoder.
    package typealias Work = (
        _ job: DecodeJob, _ source: any ByteSource, _ assistants: (any RenderAssistants)?
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>]

    /// Whether a host has started this process as a decoder.
    public static var isWanted: Bool { CommandLine.arguments.first == name && settings != nil }

    /// Decodes files until the host closes the connection.
    public static func run() -> Never { run(decode) }

    package static func run(_ work: @escaping Work) -> Never {
        #if os(Linux)
        guard let settings else {
            let message = Array("\(name) is started by programs that use Thumbwheel, and not by hand.\n".utf8)
            _ = write(2, message, message.count)
            exit(2)
        }
        TemplateProcess(settings, work: work).run()
        #else
        fatalError("decoders outside the process need Linux")
        #endif
    }

    /// The limits that the host passes as arguments.
    struct Settings: Equatable {
        var memoryByteCount: Int
        var outputByteCount: Int
        var processorSeconds: Int

        var arguments: [String] {
            [String(MessageFormat.version), String(memoryByteCount), String(outputByteCount), String(processorSeconds)]
        }

        init(memoryByteCount: Int, outputByteCount: Int, processorSeconds: Int) {
            self.memoryByteCount = memoryByteCount
            self.outputByteCount = outputByteCount
            self.processorSeconds = processorSeconds
        }

        init?(_ arguments: some Collection<String>) {
            let numbers = arguments.compactMap { Int($0) }
            guard numbers.count == 4, arguments.count == 4, numbers[0] == MessageFormat.version,
                numbers.allSatisfy({ $0 > 0 })
            else { return nil }
            self.init(memoryByteCount: numbers[1], outputByteCount: numbers[2], processorSeconds: numbers[3])
        }
    }

    private static var settings: Settings? { Settings(CommandLine.arguments.dropFirst()) }

    /// Does a job in the calling process: makes its images from the file's bytes. The program calls this function for
    /// each job, unless a test has given it another one.
    package static func decode(
        _ job: DecodeJob, _ source: any ByteSource, _ assistants: (any RenderAssistants)?
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        let renderer = Renderer(assistants: assistants)
        switch job.work {
        case .images(let options):
            return try renderer.render(
                source, options: options, limits: job.limits, makesThumbHash: job.makesThumbHash)
        case .preview(let options):
            return [
                .success(
                    try renderer.renderPreview(
                        source, options: options, limits: job.limits, makesThumbHash: job.makesThumbHash))
            ]
        case .reading(let options, let readsAlternatives):
            try RemoteReading.readAll(
                of: source, options: options, limits: job.limits, readsAlternatives: readsAlternatives)
            return []
        }
    }
}
