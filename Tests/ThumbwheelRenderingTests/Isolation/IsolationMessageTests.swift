import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("Messages between a host and its decoders")
struct IsolationMessageTests {
    /// Messages of every kind, with fields from a seed.
    private struct Source {
        var random: SeededGenerator

        mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        mutating func flag() -> Bool { number(2) == 1 }
        mutating func fraction() -> Double { Double(number(1000)) / 1000 }
        mutating func bytes(_ limit: Int) -> [UInt8] { (0..<number(limit)).map { _ in UInt8(number(256)) } }

        mutating func options() -> RenderOptions {
            var options = RenderOptions(
                targetSize: flag() ? .maximum : PixelSize(width: number(5000), height: number(5000)))
            options.contentMode = flag() ? .aspectFit : .aspectFill
            options.resizeMode = ResizeMode.allCases[number(3)]
            options.quality = RenderQuality.allCases[number(2)]
            options.sampling = Sampling.allCases[number(2)]
            if flag() {
                options.normalizedCropRect = NormalizedRect(
                    x: fraction(), y: -.infinity, width: fraction(), height: fraction())
            }
            options.isLinear = flag()
            options.pixelRange = flag() ? .extended : .standard
            options.allowsUpscaling = flag()
            options.usesEmbeddedPreviews = flag()
            if flag() { options.frameTime = fraction() }
            return options
        }

        mutating func hostMessage() -> HostMessage {
            switch number(5) {
            case 0: return .placed(count: number(MessageFormat.windowByteCount))
            case 1: return .unreadable
            case 2: return .assist
            case 3: return .noAssistance
            default:
                let contents: DecodeJob.Contents =
                    flag()
                    ? .file(start: number(1 << 40), byteCount: number(1 << 40))
                    : .requested(byteCount: number(1 << 30), front: bytes(300), readsAhead: flag())
                let work: DecodeJob.Work =
                    switch number(3) {
                    case 0: .preview(options())
                    case 1: .reading(options(), readsAlternatives: flag())
                    default: .images((0...number(4)).map { _ in options() })
                    }
                let limits = RenderLimits(
                    pixelCount: number(1 << 30), byteCount: number(1 << 30), frameCount: number(1 << 30),
                    memoryByteCount: number(1 << 40), duration: .milliseconds(number(1 << 20)))
                return .job(DecodeJob(contents: contents, work: work, makesThumbHash: flag(), limits: limits))
            }
        }

        mutating func error() -> RenderError {
            let reason = String(repeating: "ä", count: number(100))
            let errors: [RenderError] = [
                .unsupportedFormat, .truncated(decodedFraction: fraction()), .unavailable(reason: reason),
                .malformed(reason: reason), .invalidRequest(reason: reason), .limitExceeded(limit: .frames),
                .noPreview, .cancelled, .source(.unreadable(path: "", code: 5)), .encodingFailed(reason: reason),
                .decoderFailed(signal: nil), .decoderFailed(signal: Int32(1 + number(60))),
            ]
            return errors[number(errors.count)]
        }

        mutating func decoderMessage() -> DecoderMessage {
            switch number(7) {
            case 0: return .ready(process: 1 + number(1 << 20), containment: Containment(rawValue: UInt8(number(64))))
            case 1:
                return .read(offset: number(1 << 50), count: number(MessageFormat.windowByteCount), place: number(1000))
            case 2:
                return .image(
                    ImageDescription(
                        size: PixelSize(width: 1 + number(9000), height: 1 + number(9000)), format: .rgba,
                        source: .reduced, eighths: 1 + number(8), decoder: .dav1d, isPartial: flag()))
            case 3: return .failure(error())
            case 4: return .done
            case 5: return .failed(error())
            default: return .wantsAssistance
            }
        }
    }

    @Test("what is written is read")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var source = Source(random: SeededGenerator(seed: seed))
        for _ in 0..<2000 {
            let host = source.hostMessage()
            #expect(try HostMessage(host.bytes[...]) == host, "seed \(seed)")
            #expect(host.bytes.count <= MessageFormat.byteLimit, "seed \(seed)")
            let decoder = source.decoderMessage()
            #expect(try DecoderMessage(decoder.bytes[...]) == decoder, "seed \(seed)")
        }
    }

    @Test("damaged messages are refused, or mean something within all bounds")
    func damage() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var source = Source(random: SeededGenerator(seed: seed))
        var (refused, admitted) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = source.flag() ? source.hostMessage().bytes : source.decoderMessage().bytes
            for _ in 0...source.number(3) {
                switch source.number(3) {
                case 0: bytes.removeLast(source.number(bytes.count))
                case 1: bytes += source.bytes(8)
                default: bytes[source.number(bytes.count)] = UInt8(source.number(256))
                }
                if bytes.isEmpty { bytes = [1] }
            }
            let asHost = try? HostMessage(bytes[...])
            let asDecoder = try? DecoderMessage(bytes[...])
            let asTemplate = try? TemplateMessage(bytes[...])
            if asHost == nil, asDecoder == nil, asTemplate == nil { refused += 1 } else { admitted += 1 }
            if case .image(let description)? = asDecoder {
                #expect(description.byteCount > 0 && (1...8).contains(description.eighths), "seed \(seed)")
            }
            if case .read(let offset, let count, let place)? = asDecoder {
                let window = 0...MessageFormat.windowByteCount
                #expect(offset >= 0 && window.contains(count) && window.contains(place), "seed \(seed)")
            }
        }
        #expect(refused > 1000 && admitted > 100, "seed \(seed)")
    }

    @Test("a message of another version is refused")
    func versions() {
        var bytes = DecoderMessage.done.bytes
        bytes[0] += 1
        #expect(throws: MessageError.self) { try DecoderMessage(bytes[...]) }
    }

    @Test("a long reason is cut")
    func longReasons() throws {
        let error = RenderError.malformed(reason: String(repeating: "ä", count: 1000))
        guard case .failed(.malformed(let reason)) = try DecoderMessage(DecoderMessage.failed(error).bytes[...]) else {
            Issue.record("another error")
            return
        }
        #expect(reason == String(repeating: "ä", count: 256))
    }
}
