import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelMedia

/// The search for fragments that would fill the memory.
@Suite("Fragments of too many samples") struct FragmentGuardTests {
    private static let front = BoxBytes.box("ftyp", BoxBytes.kind("isom") + BoxBytes.big(0, 4))

    private static func run(_ count: Int, flags: Int = 0) -> [UInt8] {
        BoxBytes.full("trun", flags: flags, BoxBytes.big(count, 4))
    }

    /// Feeds a file to a guard in pieces.
    private static func finds(_ file: [UInt8], piece: Int) -> Bool {
        var fragments = FragmentGuard(limit: 1_000_000)
        let source = MemoryByteSource(file)
        return stride(from: 0, to: file.count, by: piece).contains { start in
            file.withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + piece, file.count)])
                return fragments.finds(part, at: start, of: source)
            }
        }
    }

    @Test("a run of too many samples is found, however the reads divide it", arguments: Array(1...40) + [4096])
    func pieces(piece: Int) {
        for run in [Self.run(1_000_001), Self.run(Int(UInt32.max), flags: 1)] {
            let fragment = BoxBytes.box("moof", BoxBytes.box("traf", run))
            #expect(Self.finds(Self.front + fragment, piece: piece))
            #expect(Self.finds(Self.front + BoxBytes.box("mdat", [1, 2, 3]) + fragment, piece: piece))
            #expect(Self.finds(Self.front + BoxBytes.box("mdat", [1, 2, 3], isWide: true) + fragment, piece: piece))
        }
    }

    @Test("the same bytes among frames, runs of few samples, and runs that state facts of each are none")
    func others() {
        let many = BoxBytes.box("moof", BoxBytes.box("traf", Self.run(1_000_001)))
        for box in [
            BoxBytes.box("mdat", many), BoxBytes.box("mdat", many, isWide: true),
            BoxBytes.box("moof", BoxBytes.box("traf", Self.run(1_000_000))),
            BoxBytes.box("moof", BoxBytes.box("traf", Self.run(1_000_001, flags: 0x200))),
        ] {
            for piece in [7, 4096] { #expect(!Self.finds(Self.front + box, piece: piece)) }
        }
    }

    @Test("reads that jump do not join bytes that lie apart")
    func jumps() {
        var fragments = FragmentGuard(limit: 1_000_000)
        let file = Self.front + BoxBytes.box("moof", BoxBytes.box("traf", Self.run(1_000_001)))
        let source = MemoryByteSource(file)
        let place = file.firstRange(of: Array("trun".utf8))!.lowerBound
        file.withUnsafeBytes { bytes in
            let halves = [bytes[..<(place + 6)], bytes[(place + 6)...]].map(UnsafeRawBufferPointer.init(rebasing:))
            let apart = [(halves[0], 0), (halves[1], place + 7)].map { fragments.finds($0, at: $1, of: source) }
            let joined = [(halves[0], 0), (halves[1], place + 6)].map { fragments.finds($0, at: $1, of: source) }
            #expect(apart == [false, false] && joined == [false, true])
        }
    }
}
