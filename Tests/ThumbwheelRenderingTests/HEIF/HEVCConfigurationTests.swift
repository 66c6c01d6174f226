import FixtureKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// Configurations of HEVC with more than one sequence, or with one of another kind.
@Suite("HEVC configurations") struct HEVCConfigurationTests {
    private static let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))

    /// The contents of a configuration box, taken apart.
    private struct Parts {
        let front: [UInt8]
        var arrays: [(kind: UInt8, units: [[UInt8]])] = []

        init(_ box: [UInt8]) {
            let bytes = Array(box.dropFirst(8))
            front = Array(bytes[..<22])
            var position = 23
            func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
            for _ in 0..<bytes[22] {
                let (kind, count) = (bytes[position], number(position + 1))
                position += 3
                var units: [[UInt8]] = []
                for _ in 0..<count {
                    let length = number(position)
                    units.append(Array(bytes[position + 2..<position + 2 + length]))
                    position += 2 + length
                }
                arrays.append((kind, units))
            }
        }

        var sequenceIndex: Int { arrays.firstIndex { $0.kind & 63 == 33 }! }
        var sequence: [UInt8] { arrays[sequenceIndex].units[0] }

        var box: [UInt8] {
            let listed = arrays.flatMap { array in
                [array.kind] + ItemFile.number(array.units.count, 2)
                    + array.units.flatMap { ItemFile.number($0.count, 2) + $0 }
            }
            return ItemFile.box("hvcC", front + [UInt8(arrays.count)] + listed)
        }
    }

    /// The fixture with each configuration changed.
    private static func file(_ change: (inout Parts) throws -> Void) throws -> [UInt8] {
        var file = try TiledFixture.itemFile()
        for index in file.items.indices where file.items[index].kind == "hvc1" {
            var parts = Parts(file.items[index].properties[0])
            try change(&parts)
            file.items[index].properties[0] = parts.box
        }
        return file.encoded
    }

    @Test("equal sequences count as one")
    func equal() throws {
        let file = try Self.file { $0.arrays[$0.sequenceIndex].units.append($0.sequence) }
        let image = try Renderer().render(MemoryByteSource(file), options: Self.options)
        #expect(image.decoder == .de265)
        let plain = try Renderer().render(MemoryByteSource(TiledFixture.file()), options: Self.options)
        #expect(Pictures.samples(image.bitmap) == Pictures.samples(plain.bitmap))
    }

    @Test("a picture with two different sequences goes to libvips")
    func different() throws {
        let other = try CodedPicture(
            Raster(Scene(seed: 1, subject: .stillLife), width: 128, height: 128), options: "Q=70,subsample-mode=off")
        let foreign = Parts(other.configuration).sequence
        // The later sequence replaces the earlier one, which has the same number.
        let file = try Self.file { $0.arrays[$0.sequenceIndex].units.insert(foreign, at: 0) }
        let image = try Renderer().render(MemoryByteSource(file), options: Self.options)
        #expect(image.decoder == .vips)
        let plain = try Renderer().render(MemoryByteSource(TiledFixture.file()), options: Self.options)
        #expect(Pictures.meanDifference(image.bitmap, plain.bitmap) < 2)
    }

    @Test("no sequence may announce a larger picture than the item, whichever is used")
    func larger() throws {
        let other = try CodedPicture(Raster(Scene(seed: 1, subject: .stillLife), width: 1024, height: 512))
        let foreign = Parts(other.configuration).sequence
        for index in 0...1 {
            let file = try Self.file { $0.arrays[$0.sequenceIndex].units.insert(foreign, at: index) }
            #expect(throws: RenderError.malformed(reason: "an HEVC picture of 1024x512 in an item of 128x128")) {
                try Renderer().render(MemoryByteSource(file), options: Self.options)
            }
        }
    }

    @Test("a configuration without a sequence is malformed")
    func none() throws {
        let file = try Self.file { $0.arrays.remove(at: $0.sequenceIndex) }
        #expect(throws: RenderError.malformed(reason: "no HEVC sequence")) {
            try Renderer().render(MemoryByteSource(file), options: Self.options)
        }
    }
}
