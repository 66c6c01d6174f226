import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite struct DamagedLibraryTests {
    private func error(loading bytes: [UInt8]) -> LibraryFileError? {
        do throws(LibraryFileError) {
            _ = try PhotoLibrary.state(loading: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("every change of a bit is noticed, wherever it is", arguments: [1, 2] as [UInt64])
    func flippedBits(seed: UInt64) throws {
        let bytes = try RandomLibrary(seed: seed, transactionCount: 40).library.savedBytes
        var random = SeededGenerator(seed: seed)
        let header = Array(0..<LibraryFileHeader.size * 8)
        let anywhere = (0..<500).map { _ in random.index(below: bytes.count * 8) }
        for bit in header + anywhere {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            try #require(error(loading: damaged) != nil, "seed \(seed), bit \(bit)")
        }
    }

    @Test("a file cut short at any place is no library", arguments: [1, 2] as [UInt64])
    func truncations(seed: UInt64) throws {
        let bytes = try RandomLibrary(seed: seed, transactionCount: 40).library.savedBytes
        var random = SeededGenerator(seed: seed)
        let lengths = Array(0..<200) + (0..<200).map { _ in random.index(below: bytes.count) } + [bytes.count - 1]
        for length in lengths {
            let found = error(loading: Array(bytes.prefix(length)))
            switch found {
            case .truncated(let byteCount, let expected):
                try #require(byteCount == length && expected > length, "seed \(seed), length \(length)")
            case .notALibrary: try #require(length < 20, "seed \(seed), length \(length)")
            default: Issue.record("seed \(seed), length \(length): \(String(describing: found))")
            }
        }
        let longer = "\(bytes.count + 1) bytes where there should be \(bytes.count)"
        #expect(error(loading: bytes + [0]) == .malformed(reason: longer))
    }

    @Test("where damage is found, the error says in which bytes")
    func place() throws {
        let library = PhotoLibrary()
        library.add((0..<600).map { SampleAssets.asset($0) })
        var bytes = try library.savedBytes
        let blocks = try SavedBlocks(bytes)
        bytes[blocks.ranges[1].lowerBound + 5] ^= 1
        #expect(error(loading: bytes) == .damaged(byteRange: blocks.ranges[1]))
    }

    @Test("a file of a later version is refused as such, whatever else is in it")
    func newerVersion() throws {
        var bytes = try PhotoLibrary().savedBytes
        let later = LibraryFileHeader.currentVersion + 1
        bytes[20] = UInt8(later)
        // Not what the header was written with, and so rather damage than a version.
        #expect(error(loading: bytes) == .damaged(byteRange: 0..<LibraryFileHeader.size))
        SavedBlocks.sealHeader(&bytes)
        #expect(error(loading: bytes) == .newerVersion(Int(later)))
        #expect(error(loading: bytes + [1, 2, 3]) == .newerVersion(Int(later)))
    }

    @Test(
        "contents that cannot be, with the right checksums, end as an error or as a library that can be used",
        arguments: [1, 2, 3] as [UInt64])
    func forgedBlocks(seed: UInt64) throws {
        let bytes = try RandomLibrary(seed: seed, transactionCount: 25).library.savedBytes
        let blocks = try SavedBlocks(bytes)
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<250 {
            var forged = bytes
            let block = random.index(below: blocks.ranges.count)
            for _ in 0...random.index(below: 3) {
                let place = blocks.ranges[block].lowerBound + random.index(below: max(1, blocks.ranges[block].count))
                forged[place] = random.index(below: 3) == 0 ? .max : UInt8(truncatingIfNeeded: random.next())
            }
            blocks.seal(&forged)
            do throws(LibraryFileError) {
                let library = PhotoLibrary(try PhotoLibrary.state(loading: forged))
                _ = library.walkThrough()
                library.add([SampleAssets.asset(1_000_000)])
            } catch {
                refused += 1
            }
        }
        #expect(refused > 20 && refused < 250, "seed \(seed)")
    }

    @Test("counts in a header are checked before anything is made of them")
    func forgedHeader() throws {
        let bytes = try RandomLibrary(seed: 3, transactionCount: 20).library.savedBytes
        // The number of chunks, the table's place, the file's length.
        for field in stride(from: 36, to: 60, by: 8) {
            for word in [UInt64.max, 1 << 63, 1 << 40, 0, 1, UInt64(bytes.count) + 16] {
                var forged = bytes
                withUnsafeBytes(of: word.littleEndian) { forged.replaceSubrange(field..<field + 8, with: $0) }
                SavedBlocks.sealHeader(&forged)
                try #require(forged == bytes || error(loading: forged) != nil, "field \(field), \(word)")
            }
        }
    }
}

/// Where the blocks of a file are.
struct SavedBlocks {
    let ranges: [Range<Int>]
    let table: Range<Int>

    init(_ bytes: [UInt8]) throws {
        let header = try LibraryFileHeader(
            reading: Array(bytes.prefix(LibraryFileHeader.size)), fileByteCount: bytes.count)
        table = header.tableOffset..<header.byteCount
        var reader = BlockReader(Array(bytes[table]))
        var ranges: [Range<Int>] = []
        var offset = LibraryFileHeader.size
        while reader.remainingCount > 0 {
            let count = try reader.readInt()
            _ = try reader.read(UInt64.self)
            ranges.append(offset..<offset + count)
            offset += count
        }
        self.ranges = ranges
    }

    /// Makes all checksums right again.
    func seal(_ bytes: inout [UInt8]) {
        for (index, range) in ranges.enumerated() {
            let place = table.lowerBound + index * LibraryFileHeader.tableEntrySize + 8
            Self.put(XXHash64.digest(bytes[range]), at: place, &bytes)
        }
        Self.put(XXHash64.digest(bytes[table]), at: 60, &bytes)
        Self.sealHeader(&bytes)
    }

    /// A file of these blocks with valid checksums.
    static func file(_ blocks: [[UInt8]], snapshotNumber: UInt64) -> [UInt8] {
        var table = BlockWriter()
        for block in blocks {
            table.write(count: block.count)
            table.write(XXHash64.digest(block))
        }
        let offset = LibraryFileHeader.size + blocks.reduce(0) { $0 + $1.count }
        let header = LibraryFileHeader(
            snapshotNumber: snapshotNumber, chunkCount: blocks.count - LibraryFileHeader.fixedBlockCount,
            tableOffset: offset, byteCount: offset + table.bytes.count, tableDigest: XXHash64.digest(table.bytes))
        return header.bytes + blocks.flatMap(\.self) + table.bytes
    }

    static func sealHeader(_ bytes: inout [UInt8]) {
        let digest = UInt32(truncatingIfNeeded: XXHash64.digest(bytes[..<(LibraryFileHeader.size - 4)]))
        put(digest, at: LibraryFileHeader.size - 4, &bytes)
    }

    private static func put<Number: FixedWidthInteger>(_ number: Number, at place: Int, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + $0.count, with: $0) }
    }
}
