import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct TIFFHeadTests {
    private func directory(_ width: Int, _ height: Int) -> [(tag: Int, value: TIFFBytes.Value)] {
        [(0x0100, .long(width)), (0x0101, .short(height))]
    }

    @Test("either byte order and either size of offsets", arguments: [false, true], [false, true])
    func header(isBigEndian: Bool, isBigTIFF: Bool) throws {
        let profile = ICCBytes.versionTwo(name: "Scanner")
        let file = TIFFBytes(
            isBigEndian: isBigEndian, isBigTIFF: isBigTIFF,
            directories: [
                directory(300, 200) + [
                    (0x0102, .short(16)), (0x0112, .short(7)), (0x0132, .text("2010:02:03 04:05:06")),
                    (0x0152, .short(2)), (0x8773, .undefined(profile)),
                ],
                directory(30, 20),
            ],
            chain: [0: 1]
        ).encoded()
        let head = try head(file)
        #expect(head.contentType == .tiff)
        #expect(head.storedSize == PixelSize(width: 300, height: 200))
        #expect(head.orientation == .rightMirrored)
        #expect(head.bitsPerChannel == 16)
        #expect(head.hasAlpha)
        #expect(head.captureDate == CaptureDate(year: 2010, month: 2, day: 3, hour: 4, minute: 5, second: 6))
        #expect(head.profile?.withoutSize == EmbeddedProfile(name: "Scanner", colorSpace: "RGB"))
        #expect(head.frameCount == 2)
    }

    @Test("interpretation, compression and the kind of the extra sample are read", arguments: 0...3)
    func coding(extraSample: Int) throws {
        let fields: [(tag: Int, value: TIFFBytes.Value)] = [
            (0x0103, .short(32_946)), (0x0106, .short(2)), (0x0115, .short(4)), (0x0152, .short(extraSample)),
        ]
        let head = try head(TIFFBytes(directories: [directory(3, 2) + fields]).encoded())
        let kinds: [TIFFCoding.ExtraSample] = [.unspecified, .associatedAlpha, .unassociatedAlpha, .unspecified]
        #expect(
            head.tiff
                == TIFFCoding(
                    photometricInterpretation: 2, compression: 32_946, samplesPerPixel: 4,
                    extraSample: kinds[extraSample], rowsPerBlock: 2))
        #expect(head.hasAlpha == (1...2 ~= extraSample))
    }

    @Test("a page without these tags has TIFF's defaults: one grey sample, not compressed")
    func silentCoding() throws {
        let tiff = try head(TIFFBytes(directories: [directory(3, 2)]).encoded()).tiff
        #expect(tiff == TIFFCoding(photometricInterpretation: nil, rowsPerBlock: 2))
        #expect(try head(PNGBytes.header(3, 2) + PNGBytes.chunk("IDAT", [0])).tiff == nil)
    }

    @Test("the rows of a strip or tile are read, and a strip has no more rows than the picture")
    func rows() throws {
        func rows(_ fields: [(tag: Int, value: TIFFBytes.Value)]) throws -> Int? {
            try head(TIFFBytes(directories: [directory(30, 20) + fields]).encoded()).tiff?.rowsPerBlock
        }
        #expect(try rows([(0x0116, .short(8))]) == 8)
        #expect(try rows([(0x0116, .short(800))]) == 20)
        #expect(try rows([(0x0116, .short(8)), (0x0142, .short(64)), (0x0143, .short(48))]) == 48)
    }

    @Test("a chain of directories that comes back to itself is counted once round")
    func circularChain() throws {
        let file = TIFFBytes(
            directories: [directory(3, 2), directory(3, 2), directory(3, 2)], chain: [0: 1, 1: 2, 2: 1])
        #expect(try head(file.encoded()).frameCount == 3)
    }

    @Test("a file without a size, or of an endless directory, is refused")
    func contradictions() {
        #expect(headError(TIFFBytes(directories: [[(0x0100, .long(5))]]).encoded())?.isMalformed == true)
        #expect(headError(TIFFBytes(directories: [directory(0, 5)]).encoded())?.isMalformed == true)
        let endless: [UInt8] = .text("II*\0") + .little(8, 4) + .little(65535, 2) + .zeros(1000)
        #expect(headError(endless)?.isLimitExceeded == true)
        #expect(headError(.text("II*\0") + .little(5000, 4) + .zeros(8)) == .truncated)
    }
}
