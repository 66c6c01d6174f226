import FixtureKit
import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// AVIF pictures of two layers, made by libaom. They show a ramp of 128 by 96 pixels under a board of squares.
@Suite("AVIF layers") struct AVIFLayerTests {
    /// A lower layer of half the size, and the picture.
    private static let spatial = Data(
        base64Encoded: """
            CgwAEwEAgIGb/fNr5AEyowESAfr4A/gC+vAAAAkCCLbaoIB/sFPsUTpXDOvwDN2CYFNgGxzzb/hU2iO9i8x1LI21n7RVhwBSQ2/X\
            sB4qGJpaMbTbQsKPUkx68ja2r00nhz++EGeS2atEKuzfqFs8sl1op3bnQzkxIaj+bH0WQDrntgtXAu9NJvZiwbuqFixZ/0/kd9HX\
            wNHZGbsahO2iRI76SDoZYyU1FUUN17MUTzIq1lMYCgwAEwEAgIGb/fNr5AE2COQBEACKAAAAkAsg2A9wsBVgl2gN+UOYJRynMvkU\
            WgOovRhfNDNajgGQTlJMekBECKvKsbd+uuLSVP/85F/kNcL3NMSMoEF1S0M9LuzdWcOOM78NmZflsvuBeUYZdNhVs1wSOpGloUiD\
            l6ciKcBSgqhJkNVhEegvK+ZKXcCVQh0GxRtjcFhelSh82P5Ix/2B5zw81NdA5P5ztzkM9hhRawL9a/A308PAEDL5WjlUmidwQbt2\
            RoMUWpoEZvWSy21mgYgJ6g1EEFj0z40q94baJBb65Z64rDMXqZ6Et79he3942AE6j+oo
            """)!
    /// A coarse layer of the full size, and the picture.
    private static let coarse = Data(
        base64Encoded: """
            CgwAEwEAgIGb/fNr5AEy8wIQAI8AAACS6yDbZEw+Nn0D81YJItZJvqkmkK0n3Oy/yC0dNfqKhZDXrr5V2Rexi2xBmPI6Y/NYX7eR\
            c67Mt2maTH1WuOieMyZs/M6YWxaLJu1Ff3PYZY5tULVmMyWT9Uzyd+J/ZJ3DB78a9O2ARPZ/XUwaUG44Q1/i07DRRZjQd2Fz3qBx\
            X8yBVHxrgt8w1nk4K3mljtLR2Lr4ll80qdgdpkzbwXkofbFTCagBJjfGDzK3R4uZoSQ6czJrLv+UF6sMmsi6bSe1VznFWhXlBv2x\
            /uchYYg4k5JAxLIWfsJidDBTXu8+3SCjl7D5KTL0pkQ590jzsfuhD6BjUvsbytMs+4o+tCmvu+Yxng5O+oE0nZunrkVDxYdGLBX2\
            k0j9/OA46EDevX8FSE745e2xQ93LcMoIwq0V38PVsUYGr83ylJHcgjMQOk7RusWYDY46/E6HV0IDJVE5+l5aZjup+G+KmL1lXksv\
            lV2xt0EFG1ZxQSw5RAoMABMBAICBm/3za+QBNgjkARAAigAAAJALINgPcLAVYJdoDflDmCUcpzL5FFoDqL0YXzQzWo4BkE5STHpA\
            RAiryrG3frri0lT//ORf5DXC9zTEjKBBdUtDPS7s3VnDjjO/DZmX5bL7gXlGGXTYVbNcEjqRpaFIg5enIinAUoKoSZDVYRHoLyvm\
            Sl3AlUIdBsUbY3BYXpUofNj+SMf9gec8PNTXQOT+c7c5DPYYUWsC/WvwN9PDwBAy+Vo5VJoncEG7dkaDFFqaBGb1ksttZoGICeoN\
            RBBY9M+NKveG2iQW+uWeuKwzF6mehLe/YXt/eNgBOo/qKA==
            """)!

    /// - Parameter layers: the contents of the property that tells the layers' lengths; nil for none.
    private static func file(_ data: Data, layers: [UInt8]?, properties: [[UInt8]] = []) -> [UInt8] {
        ItemFile(brand: "avif", items: [item(data, layers: layers, properties: properties)]).encoded
    }

    /// - Parameter size: the size that the item states.
    private static func item(
        _ data: Data, size: (Int, Int) = (128, 96), layers: [UInt8]?, properties: [[UInt8]] = []
    ) -> ItemFile.Item {
        let extent = ItemFile.fullBox("ispe", ItemFile.number(size.0, 4) + ItemFile.number(size.1, 4))
        var boxes = [extent, ItemFile.box("av1C", [0x81, 0, 0x0C, 0])] + properties
        if let layers { boxes.append(ItemFile.box("a1lx", layers)) }
        return ItemFile.Item("av01", [UInt8](data), properties: boxes)
    }

    private static let spatialLayers: [UInt8] = [0, 0, 180, 0, 0, 0, 0]
    private static let coarseLayers: [UInt8] = [1] + ItemFile.number(388, 4) + ItemFile.number(0, 8)

    private static func render(
        _ file: [UInt8], side: Int, quality: RenderQuality = .high
    ) throws -> (image: RenderedImage, byteCount: Int) {
        let source = CountingByteSource(file)
        let options = RenderOptions(
            targetSize: PixelSize(width: side, height: side), contentMode: .aspectFit, quality: quality)
        let image = try Renderer().render(source, options: options)
        #expect(image.decoder == .dav1d)
        let picture = try #require(try HEIFImages(reading: MemoryByteSource(file))).picture.tiles[0].extents[0]
        // The head's reads begin before the picture.
        return (image, source.ranges.filter { picture.contains($0.lowerBound) }.map(\.count).reduce(0, +))
    }

    @Test("the lowest layer that is large enough is decoded, and nothing behind it is read")
    func spatial() throws {
        let file = Self.file(Self.spatial, layers: Self.spatialLayers)
        let plain = Self.file(Self.spatial, layers: nil)
        let (small, smallCount) = try Self.render(file, side: 20)
        #expect(smallCount == 180)
        let (whole, wholeCount) = try Self.render(plain, side: 20)
        #expect(wholeCount == Self.spatial.count && small.bitmap.size == whole.bitmap.size)
        #expect(Pictures.meanDifference(small.bitmap, whole.bitmap) < 4)
        #expect(Pictures.largestDifference(small.bitmap, whole.bitmap) != 0)
        // A larger image needs the picture itself, and gets it to the bit.
        let (large, largeCount) = try Self.render(file, side: 60)
        #expect(largeCount == Self.spatial.count)
        #expect(try Pictures.largestDifference(large.bitmap, Self.render(plain, side: 60).image.bitmap) == 0)
        let (natural, _) = try Self.render(file, side: 128)
        #expect(natural.bitmap.size == PixelSize(width: 128, height: 96))
        #expect(try Pictures.largestDifference(natural.bitmap, Self.render(plain, side: 128).image.bitmap) == 0)
    }

    @Test("a coarse layer of the full size is enough for fast images only")
    func coarse() throws {
        let file = Self.file(Self.coarse, layers: Self.coarseLayers)
        #expect(try Self.render(file, side: 20).byteCount == Self.coarse.count)
        let (fast, count) = try Self.render(file, side: 20, quality: .fast)
        #expect(count == 388)
        #expect(try Pictures.meanDifference(fast.bitmap, Self.render(file, side: 20).image.bitmap) < 4)
    }

    @Test(
        "a last layer smaller than its item is refused where pixels are counted by the item's size",
        arguments: ["clap", "auxl", "thmb", "natural"])
    func tooSmall(_ kind: String) throws {
        // The last layer has 128 by 96 pixels.
        var items = [Self.item(Self.spatial, size: (256, 192), layers: Self.spatialLayers)]
        switch kind {
        case "clap": items[0].properties.append(TiledFixture.aperture(width: (200, 1), height: (150, 1)))
        case "auxl":
            let auxiliary = ItemFile.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0])
            items.append(Self.item(Self.spatial, layers: nil, properties: [auxiliary]))
        case "thmb": items.insert(Self.item(Self.spatial, size: (512, 384), layers: nil), at: 0)
        default: break
        }
        let references = items.count == 1 ? [] : [ItemFile.Reference(kind, from: 2, to: [1])]
        let file = MemoryByteSource(ItemFile(brand: "avif", items: items, references: references).encoded)
        var options = RenderOptions(targetSize: PixelSize(width: 60, height: 60), contentMode: .aspectFit)
        if kind == "natural" { options.resizeMode = .none }
        let refused = RenderError.malformed(reason: "a picture smaller than its item")
        for quality in RenderQuality.allCases {
            options.quality = quality
            #expect(throws: refused) {
                try kind == "thmb"
                    ? Renderer().renderPreview(file, options: options) : Renderer().render(file, options: options)
            }
        }
    }

    @Test("lengths that leave nothing for the last layer are no layers; a choice of layers is left to libvips")
    func odd() throws {
        for layers: [UInt8] in [[0, 255, 255, 0, 0, 0, 0], [0, 0, 180, 255, 255, 0, 0]] {
            let file = Self.file(Self.spatial, layers: layers)
            #expect(try Self.render(file, side: 20).byteCount == Self.spatial.count)
        }
        let chosen = Self.file(Self.spatial, layers: nil, properties: [ItemFile.box("lsel", [0, 0])])
        #expect(try HEIFImages(reading: MemoryByteSource(chosen)) == nil)
        // Wrong lengths cut the data in the middle of a layer: an error, or a picture, and never more.
        for length in UInt8(1)...255 {
            let file = Self.file(Self.spatial, layers: [0, 0, length, 0, 0, 0, 0])
            let options = RenderOptions(targetSize: PixelSize(width: 20, height: 20))
            do throws(RenderError) {
                _ = try Renderer().render(MemoryByteSource(file), options: options)
            } catch {
                #expect(error.isDamage, "\(length)")
            }
        }
    }
}
