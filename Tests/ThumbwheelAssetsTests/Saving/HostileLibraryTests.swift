import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks

@testable import ThumbwheelAssets

@Suite("Files of libraries with the right checksums and wrong contents")
struct HostileLibraryTests {
    private func error(loading bytes: [UInt8]) -> LibraryFileError? {
        do throws(LibraryFileError) {
            _ = try PhotoLibrary.state(loading: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("a header with a negative or overflowing count of chunks is refused", arguments: [-2, -1, Int.min, Int.max])
    func chunkCount(count: Int) {
        for tableByteCount in [0, 16, 32] {
            let table = [UInt8](repeating: 0, count: tableByteCount)
            let header = LibraryFileHeader(
                snapshotNumber: 1, chunkCount: 0, tableOffset: 72, byteCount: 72 + tableByteCount,
                tableDigest: XXHash64.digest(table))
            var bytes = header.bytes + table
            withUnsafeBytes(of: count.littleEndian) { bytes.replaceSubrange(36..<44, with: $0) }
            SavedBlocks.sealHeader(&bytes)
            #expect(error(loading: bytes) == .malformed(reason: "a table of another number of blocks"))
        }
    }

    /// Counts the bytes that are read.
    private final class CountingSource: ByteSource {
        let memory: MemoryByteSource
        let readByteCount = Mutex(0)
        var byteCount: Int { memory.byteCount }

        init(_ bytes: [UInt8]) {
            memory = MemoryByteSource(bytes)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
            let count = memory.read(into: buffer, at: offset)
            readByteCount.withLock { $0 += count }
            return count
        }
    }

    @Test("thousands of chunks of one row are refused at the first, before the others are read")
    func shortChunks() throws {
        let library = PhotoLibrary()
        library.add([SampleAssets.asset(1)])
        let saved = try library.savedBytes
        let blocks = try SavedBlocks(saved).ranges.map { Array(saved[$0]) }
        let bytes = SavedBlocks.file(Array(repeating: blocks[0], count: 2000) + blocks.suffix(2), snapshotNumber: 1)
        let source = CountingSource(bytes)
        let reading = try LibraryFileReading(source)
        let headByteCount = source.readByteCount.withLock { $0 }
        #expect(throws: LibraryFileError.malformed(reason: "a chunk that is not full before others")) {
            try reading.state { _ in nil }
        }
        // Each thread may have read some chunks before the first one failed.
        #expect(source.readByteCount.withLock { $0 } - headByteCount < blocks[0].count * 500)
    }

    @Test("details of more rows than a chunk has are refused before they take memory")
    func manyDetails() throws {
        let library = PhotoLibrary()
        library.add([SampleAssets.odd(1)])
        try library.performChangesAndWait { try $0.deleteAssets([SampleAssets.identifier(1)]) }
        let columns = try #require(library.snapshot.chunks.first).columns
        var writer = BlockWriter()
        columns.write(to: &writer)
        var reader = BlockReader(writer.bytes)
        #expect(throws: Never.self) { try ChunkColumns(from: &reader) { _ in nil } }
        // The same row twice.
        var forged = BlockWriter()
        forged.write(count: 2)
        for _ in 0..<2 {
            forged.write(UInt16(0))
            forged.write(RowDetails())
            forged.write(optional: Double?.none) { $0.write($1) }
        }
        let details = forged.bytes
        var one = BlockWriter()
        one.write(count: 1)
        one.write(UInt16(0))
        one.write(columns.details[0] ?? RowDetails())
        one.write(optional: columns.trashedDate(at: 0)?.timeIntervalSinceReferenceDate) { $0.write($1) }
        let place = try #require(writer.bytes.firstRange(of: one.bytes))
        var bytes = writer.bytes
        bytes.replaceSubrange(place, with: details)
        reader = BlockReader(bytes)
        #expect(throws: LibraryFileError.malformed(reason: "details of rows that are not there")) {
            try ChunkColumns(from: &reader) { _ in nil }
        }
    }

    private static let odd: [Int] = [.min, -1, 0, 1 << 31, 1 << 53, .max - 1, .max]

    @Test("facts that no file can have are brought into bounds that keep arithmetic safe, in assets and in libraries")
    func facts() throws {
        for one in Self.odd {
            for other in Self.odd {
                let asset = asset(one, other)
                expectSound(asset)
                let library = PhotoLibrary()
                library.add([asset])
                let loaded = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))
                expectSound(try #require(loaded.fetchAssets().first))
                #expect(loaded.fetchAssets()[0].facts == library.fetchAssets()[0].facts)
            }
        }
    }

    private func asset(_ one: Int, _ other: Int) -> Asset {
        let size = PixelSize(width: one, height: other)
        let range = min(one, other)..<max(one, other)
        let head = ImageHead(
            contentType: .jpeg, storedSize: size,
            previews: [
                EmbeddedPreview(byteRange: 0..<9, contentType: .jpeg)
            ],
            profile: EmbeddedProfile(name: nil, colorSpace: "RGB", byteCount: one),
            jpeg: JPEGCoding(
                process: .baseline, isArithmetic: false, samplingFactors: [.init(horizontal: one, vertical: other)],
                restartInterval: one), bitsPerChannel: one, frameCount: other)
        var odd = head
        odd.previews = [
            EmbeddedPreview(byteRange: range, contentType: .jpeg, pixelSize: size, container: range),
            EmbeddedPreview(byteRange: 0..<9, contentType: .jpeg),
        ]
        return Asset(
            identifier: SampleAssets.identifier(1), head: odd, resource: .bytes([1]), fileSize: one,
            originalFilename: "a.jpg")
    }

    private func expectSound(_ asset: Asset) {
        let head = asset.head
        #expect(0...1 << 53 ~= asset.fileSize)
        #expect(0...Int(Int32.max) ~= asset.pixelWidth && 0...Int(Int32.max) ~= asset.pixelHeight)
        for preview in head.previews {
            #expect(preview.byteRange.lowerBound >= 0 && preview.byteCount <= 1 << 54)
            #expect(preview.container.map { $0.lowerBound >= 0 } ?? true)
            #expect(preview.pixelSize.map { $0.width >= 0 && $0.height <= Int(Int32.max) } ?? true)
        }
        #expect(0...Int(Int32.max) ~= head.frameCount && 0...64 ~= head.bitsPerChannel)
        #expect(head.profile.map { $0.byteCount >= 0 } ?? true)
        #expect(head.jpeg?.samplingFactors.allSatisfy { 0...15 ~= $0.horizontal && 0...15 ~= $0.vertical } ?? true)
        #expect(head.jpeg.map { 0...Int(UInt16.max) ~= $0.restartInterval } ?? true)
    }

    @Test("numbers from a forged file's columns are brought into the same bounds")
    func columns() throws {
        // Numbers whose bytes occur nowhere else in the file.
        let (marker, size) = (0x1234_5678, 0x0004_1234_5678_9ABC)
        let library = PhotoLibrary()
        // With two previews, the head does not fit into its columns and is kept whole.
        library.add([asset(marker, marker), SampleAssets.asset(2, width: 0x0BCD_EF01, height: 77, fileSize: size)])
        var bytes = try library.savedBytes
        let blocks = try SavedBlocks(bytes)
        func replace(_ old: some FixedWidthInteger, _ new: some FixedWidthInteger) -> Int {
            let (old, new) = (withUnsafeBytes(of: old) { Array($0) }, withUnsafeBytes(of: new) { Array($0) })
            var count = 0
            var place = blocks.ranges[0].lowerBound
            while place + old.count <= blocks.ranges[0].upperBound {
                if Array(bytes[place..<place + old.count]) == old {
                    bytes.replaceSubrange(place..<place + old.count, with: new)
                    count += 1
                }
                place += 1
            }
            return count
        }
        #expect(replace(Int64(marker), Int64.max) > 0)
        #expect(replace(Int32(0x0BCD_EF01), Int32.min) > 0)
        #expect(replace(Int64(size), Int64.min) > 0)
        blocks.seal(&bytes)
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: bytes))
        for asset in loaded.fetchAssets() { expectSound(asset) }
        #expect(loaded.fetchAssets().count == 2)
    }
}
