import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Codecs")
struct CodecsTests {
    /// Types whose pictures are coded in another type, or in a coding that nobody reads.
    private static let typesWithoutCodec: Set<ContentType> = [.dng, .cr2, .nef, .arw, .heif]

    @Test("every type that is known has a codec, or is known to have none", arguments: ContentType.known)
    func known(_ type: ContentType) {
        #expect((Codecs[type] == nil) == Self.typesWithoutCodec.contains(type))
    }

    @Test("each type has one codec")
    func unique() {
        let types = Codecs.all.flatMap(\.contentTypes)
        #expect(Set(types).count == types.count)
    }

    @Test("every decoder offers increasing scales, full size among them, and a speed", arguments: ContentType.known)
    func scales(_ type: ContentType) throws {
        guard let codec = Codecs[type] else { return }
        let head = ImageHead(contentType: type, storedSize: PixelSize(width: 4000, height: 3000))
        for decoder in codec.decoders(for: head) {
            let eighths = codec.eighths(of: decoder)
            #expect(eighths.last == 8)
            #expect(eighths == Set(eighths).sorted())
            for scale in eighths {
                let memory = codec.memory(of: decoder, for: head, eighths: scale, byteCount: 1 << 20)
                #expect(0...memory.maximum ~= memory.typical)
                #expect(0...memory.maximum ~= memory.minimumLimit)
                let speed = codec.speed(of: decoder, for: head, eighths: scale, quality: .high)
                let milliseconds = speed.milliseconds(byteCount: 1 << 20, storedPixels: 12e6, decodedPixels: 12e6)
                #expect(1...1000 ~= milliseconds)
            }
        }
    }

    @Test("a file of a type without a codec is refused")
    func refused() {
        let head = ImageHead(contentType: .heif, storedSize: PixelSize(width: 40, height: 30))
        let source = MemoryByteSource([0, 0, 0])
        #expect(throws: RenderError.unsupportedFormat) {
            try Renderer().render(source, head: head, options: RenderOptions(targetSize: .maximum))
        }
    }
}
