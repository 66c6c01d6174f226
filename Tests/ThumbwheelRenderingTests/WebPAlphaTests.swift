import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("WebP with alpha by planes")
struct WebPAlphaTests {
    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(300)) }

    /// An opaque left, a transparent right, and a slope between them, with a hole in the opaque part.
    private static func file(_ width: Int, _ height: Int) throws -> [UInt8] {
        let scene = Pictures.samples(Pictures.scene(width, height))
        return try Pictures.bitmap(width, height, format: .rgba) { x, y, channel in
            if channel < 3 { return Int(scene[(y * width + x) * 3 + channel]) }
            if (width / 8..<width / 6).contains(x), (height / 3..<height / 2).contains(y) { return 0 }
            return 255 - (x - width / 3) * 255 / max(1, width / 3)
        }.encoded(as: .webp(quality: 80))
    }

    private static func reduced(_ bytes: [UInt8], _ reduction: Int) throws -> WebPAlphaRows {
        let source = MemoryByteSource(bytes)
        return try WebPAlphaRows(
            source, WebPContainer(source), WebPRows.Options(reduction: reduction, isFiltered: true),
            keepsProfile: false, limits: RenderLimits(), guardian: guardian)
    }

    @Test("blocks are means by the weight of alpha, the incomplete ones too", arguments: [2, 4, 6, 8])
    func means(reduction: Int) throws {
        for (width, height) in [(331, 223), (96, 64), (125, 130), (9, 5)] {
            let bytes = try Self.file(width, height)
            let source = MemoryByteSource(bytes)
            let whole = DecodedRows(
                try WebPDecode(
                    source, WebPContainer(source), eighths: 8, keepsProfile: false, limits: RenderLimits(),
                    guardian: Self.guardian))
            let rows = DecodedRows(try Self.reduced(bytes, reduction))
            let size = PixelSize(
                width: (width + reduction - 1) / reduction, height: (height + reduction - 1) / reduction)
            #expect(rows.error == nil && rows.size == size && rows.channels == 4 && rows.count == size.height)
            var (difference, count) = (0, 0)
            for block in 0..<size.pixelCount {
                let (left, top) = (block % size.width * reduction, block / size.width * reduction)
                var (sums, alpha, pixelCount) = ([0, 0, 0], 0, 0)
                for y in top..<min(top + reduction, height) {
                    for x in left..<min(left + reduction, width) {
                        let pixel = (y * width + x) * 4
                        let own = Int(whole.samples[pixel + 3])
                        for channel in 0..<3 { sums[channel] += own * Int(whole.samples[pixel + channel]) }
                        alpha += own
                        pixelCount += 1
                    }
                }
                #expect(Int(rows.samples[block * 4 + 3]) == (2 * alpha + pixelCount) / (2 * pixelCount))
                // libwebp interpolates chroma, which makes a difference to each block of a picture of a few pixels.
                guard alpha > 0, width > 9 else { continue }
                for channel in 0..<3 {
                    difference += abs(Int(rows.samples[block * 4 + channel]) - (sums[channel] + alpha / 2) / alpha)
                    count += 1
                }
            }
            #expect(Double(difference) <= 1.5 * Double(count), "\(width)×\(height)")
        }
    }

    @Test("any part of the rows and columns is that part of the picture")
    func parts() throws {
        let bytes = try Self.file(90, 131)
        let whole = DecodedRows(try Self.reduced(bytes, 4))
        let pitch = whole.size.width * 4
        for (rows, columns) in [(7..<9, 0..<23), (0..<1, 5..<6), (32..<33, 11..<23)] {
            let decode = try Self.reduced(bytes, 4)
            decode.narrow(to: columns)
            let part = DecodedRows(decode, rows: rows)
            #expect(part.error == nil && part.count == rows.count)
            for (index, row) in rows.enumerated() {
                let own = part.samples[index * pitch..<(index + 1) * pitch].dropFirst(columns.lowerBound * 4)
                let expected = whole.samples[row * pitch..<(row + 1) * pitch].dropFirst(columns.lowerBound * 4)
                #expect(Array(own.prefix(columns.count * 4)) == Array(expected.prefix(columns.count * 4)))
            }
        }
    }

    @Test("images of much smaller sizes are made that way, and look like those of a PNG with the same pixels")
    func images() throws {
        let bytes = try Self.file(643, 421)
        let source = MemoryByteSource(bytes)
        let pixels = DecodedRows(
            try WebPDecode(
                source, WebPContainer(source), eighths: 8, keepsProfile: false, limits: RenderLimits(),
                guardian: Self.guardian))
        let png = try Pictures.bitmap(643, 421, format: .rgba) { x, y, channel in
            Int(pixels.samples[(y * 643 + x) * 4 + channel])
        }.encoded(as: .png)
        for side in [40, 97, 200] {
            let options = RenderOptions(targetSize: PixelSize(width: side, height: side))
            let images = try [bytes, png].map {
                try Renderer().render(MemoryByteSource($0), options: options).bitmap
            }
            #expect(images.allSatisfy { $0.format == .rgba })
            let samples = images.map(Pictures.samples)
            var (difference, count) = (0, 0)
            for place in samples[1].indices where samples[1][place | 3] > 0 {
                difference += abs(Int(samples[0][place]) - Int(samples[1][place]))
                count += 1
            }
            #expect(Double(difference) / Double(count) <= 2, "\(side)")
        }
    }

    @Test("a file cut anywhere tells how far it came, and gives the rows there are")
    func cutShort() throws {
        let bytes = try Self.file(160, 200)
        let whole = DecodedRows(try Self.reduced(bytes, 4))
        let end = try #require(try WebPContainer(MemoryByteSource(bytes)).chunks.last).upperBound
        for cut in stride(from: 300, to: end - 20, by: 97) {
            guard let decode = try? Self.reduced(Array(bytes[..<cut]), 4) else { continue }
            let rows = DecodedRows(decode)
            guard case .truncated = rows.error else {
                Issue.record("cut at \(cut): \(String(describing: rows.error))")
                continue
            }
            #expect(rows.samples.elementsEqual(whole.samples.prefix(rows.samples.count)), "cut at \(cut)")
        }
    }
}
