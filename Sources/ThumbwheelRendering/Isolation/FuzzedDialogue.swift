#if os(Linux)
import CIsolation
import Glibc
import ThumbwheelCore

/// A test of the messages between a host and a decoder process. One side is real; the messages of the other side are
/// made by a fuzzer (a program that tries arbitrary input). The real side must neither trap nor wait forever. Not part
/// of any product.
///
/// The fuzzer makes a sequence of bytes:
/// 1. The first byte decides which side is real. If it is 0, a real host reads the messages of a decoder. Otherwise a
///    real decoder process reads the messages of a host.
/// 2. The messages follow. Before each message come a byte for its `Attachment` and two bytes for its length.
@_spi(Fuzzing) public enum FuzzedDialogue {
    /// The kinds of file descriptors that are sent with a message; `nothing` for a message without a descriptor.
    private enum Attachment: UInt8, CaseIterable {
        case nothing, sealedPixels, unsealedPixels, nullDevice, window, connection
    }

    /// The largest number of messages in one dialogue. The fuzzed side sends all of them before the real side begins to
    /// read.
    private static let messageLimit = 24
    private static let side = 16

    /// Sends the messages in `bytes` to the real side, and runs the real side until it has read them or has refused one
    /// of them.
    public static func play(_ bytes: [UInt8]) {
        guard let fuzzed = bytes.first, let (own, other) = MessageSocket.pair() else { return }
        var rest = bytes.dropFirst()
        for _ in 0..<messageLimit {
            guard rest.count >= 3 else { break }
            let attachment = Attachment(rawValue: rest.popFirst()! % UInt8(Attachment.allCases.count))!
            let count = Int(rest.popFirst()!) | Int(rest.popFirst()!) << 8
            let descriptor = descriptor(for: attachment)
            other.send(Array(rest.prefix(count)), with: descriptor?.rawValue, waits: false)
            rest = rest.dropFirst(count)
        }
        // Closes the sending end of the fuzzed side, so that the real side does not wait for more messages. Nobody
        // reads the messages that the real side sends.
        other.shutDownSending()
        if fuzzed == 0 { runHost(on: own) } else { runDecoder(on: own) }
    }

    private static func runHost(on socket: MessageSocket) {
        let source = MemoryByteSource([UInt8](repeating: 7, count: 100_000))
        var dialogue = DecodeDialogue(
            socket, window: SharedWindow(), source: source, assistants: NoThreads(),
            limits: RenderLimits(pixelCount: 1 << 16), expectedCount: 2)
        guard case .images(let results) = dialogue.run() else { return }
        for case .success(let image) in results {
            precondition(image.bitmap.size.pixelCount <= 1 << 16, "an image beyond the limit")
            precondition((1...8).contains(image.eighths), "a scale that there is not")
            // Reads every byte of the bitmap, so that the test crashes if the bitmap's memory is smaller than its size
            // says.
            _ = image.bitmap.withUnsafeBytes { $0.reduce(0) { $0 &+ Int($1) } }
        }
    }

    private static func runDecoder(on socket: MessageSocket) {
        _ = DecoderProcess(socket) { job, source, assistants throws(RenderError) in
            guard job.limits.pixelCount > 7 else { throw .limitExceeded(limit: .pixels) }
            for place in [0, source.byteCount / 2, max(0, source.byteCount - 100)] {
                _ = try? source.bytes(in: place..<min(source.byteCount, place + 70_000))
            }
            _ = assistants?.start { _ in }
            let bitmap = Bitmap(size: PixelSize(width: 2, height: 2), format: .rgb) {
                $0.initializeMemory(as: UInt8.self, repeating: 1)
            }
            return [
                .success(RenderedImage(bitmap: bitmap, source: .full, eighths: 8, decoder: .png)), .failure(.noPreview),
            ]
        }.work()
    }

    /// The helper threads of a host that has no idle threads: every request for help is refused.
    private struct NoThreads: RenderAssistants {
        func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool { false }
    }

    private static func descriptor(for attachment: Attachment) -> PassedDescriptor? {
        let pixels = [UInt8](repeating: 200, count: side * side * 3)
        switch attachment {
        case .nothing: return nil
        case .sealedPixels: return pixels.withUnsafeBytes(SealedPixels.make)
        case .unsealedPixels, .window:
            let number = tw_memfd()
            guard number >= 0 else { return nil }
            _ = ftruncate(number, attachment == .window ? MessageFormat.windowByteCount : pixels.count)
            if attachment == .window { _ = tw_seal_size(number) }
            return PassedDescriptor(number)
        case .nullDevice:
            let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
            return number >= 0 ? PassedDescriptor(number) : nil
        case .connection: return MessageSocket.pair().map { PassedDescriptor(dup($0.0.descriptor)) }
        }
    }

    // MARK: Seed inputs

    /// Inputs with valid messages, from which a fuzzer makes its own inputs by changing bytes.
    public static var examples: [[UInt8]] {
        let size = PixelSize(width: side, height: side)
        let description = ImageDescription(size: size, format: .rgb, source: .full, eighths: 8, decoder: .webp)
        let options = [RenderOptions(targetSize: size), RenderOptions(targetSize: .maximum)]
        let jobs: [(DecodeJob.Contents, Attachment)] = [
            (.file(start: 3, byteCount: 1000), .unsealedPixels),
            (.requested(byteCount: 200_000, front: [1, 2, 3], readsAhead: true), .window),
            (.requested(byteCount: 3, front: [1, 2, 3], readsAhead: false), .nothing),
        ]
        let fromDecoder: [[(DecoderMessage, Attachment)]] = [
            [
                (.read(offset: 10, count: 5000, place: 100), .nothing), (.wantsAssistance, .nothing),
                (.image(description), .sealedPixels), (.failure(.malformed(reason: "bad")), .nothing),
                (.done, .nothing),
            ],
            [(.image(description), .sealedPixels), (.image(description), .sealedPixels), (.done, .nothing)],
            [(.failed(.truncated(decodedFraction: 0.5)), .nothing)],
            [(.ready(process: 7, containment: .all), .connection)],
        ]
        let fromHost: [[(HostMessage, Attachment)]] = jobs.map { contents, attachment in
            [
                (.job(DecodeJob(contents: contents, work: .images(options), makesThumbHash: true)), attachment),
                (.placed(count: 65_536), .nothing), (.placed(count: 100), .nothing), (.unreadable, .nothing),
                (.assist, .connection), (.noAssistance, .nothing),
                (.job(DecodeJob(contents: contents, work: .preview(options[0]))), attachment),
            ]
        }
        return fromDecoder.map { encoded(0, $0.map { ($0.0.bytes, $0.1) }) }
            + fromHost.map { encoded(1, $0.map { ($0.0.bytes, $0.1) }) }
    }

    private static func encoded(_ side: UInt8, _ messages: [([UInt8], Attachment)]) -> [UInt8] {
        messages.reduce([side]) { bytes, message in
            let count = UInt16(message.0.count)
            return bytes + [message.1.rawValue, UInt8(count & 255), UInt8(count >> 8)] + message.0
        }
    }
}
#endif
