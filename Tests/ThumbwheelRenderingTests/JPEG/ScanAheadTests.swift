import FixtureKit
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("A scan that is read by two threads", .endsHangs)
struct ScanAheadTests {
    /// Does the work before it returns, and is wanted elsewhere after so many questions.
    private struct Prompt: RenderAssistants {
        var questionCount = Int.max

        func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
            var asked = 0
            work {
                asked += 1
                return asked > questionCount
            }
            return true
        }
    }

    /// Does the work on a thread of its own, sooner or later.
    private struct Threads: RenderAssistants {
        func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
            Thread.detachNewThread { work { false } }
            return true
        }
    }

    private struct Outcome: Equatable {
        var samples: [UInt8] = []
        var error: RenderError?

        /// Where it begins to be another than `other`, in words; nil where it does not.
        func difference(from other: Outcome) -> String? {
            if self == other { return nil }
            let place = zip(samples, other.samples).enumerated().first { $1.0 != $1.1 }?.offset
            return
                "\(samples.count) and \(other.samples.count) samples, other from \(place.map(String.init) ?? "nowhere") on, "
                + "\(String(describing: error)) and \(String(describing: other.error))"
        }
    }

    private static func decode(
        _ bytes: [UInt8], eighths: Int, by assistants: (any RenderAssistants)?, at share: Double = 0.5,
        atByte place: Int? = nil, wantsMeans: Bool = false, splitting: SingleScanReader.Splitting = .even
    ) throws -> Outcome {
        let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))
        let decode = try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian))
        decode.sharing = assistants.map {
            SingleScanReader.Sharing(assistants: $0, minimumByteCount: 0) { bytes in
                place ?? bytes.lowerBound + Int(Double(bytes.count) * share)
            }
        }
        decode.splitting = splitting
        if wantsMeans { decode.means = BlockMeans(decode.header) }
        let rows = JPEGRows(decode)
        var outcome = Outcome()
        let count = rows.size.width * rows.channels
        let needed = wantsMeans ? rows.size.height / 4..<rows.size.height * 2 / 3 : 0..<rows.size.height
        let (_, error) = rows.forEachRow(in: needed) {
            outcome.samples.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
        outcome.error = error
        if wantsMeans, decode.means?.isComplete == true {
            let means = try #require(decode.means).bitmap(orientation: .up)
            outcome.samples.append(contentsOf: means.withUnsafeBytes { Array($0) })
        }
        return outcome
    }

    private static func files() throws -> [[UInt8]] {
        let raster = Raster(Scene(seed: 5, subject: .landscape, noise: 3), width: 331, height: 203)
        let variations: [JPEGEncoder.Variation?] = [nil, .restartUnits(7), .restartRows(1), .optimizedTables]
        return try variations.map {
            try JPEGEncoder(quality: 88, subsampling: .yuv420, variation: $0).encode(raster)
        } + [JPEGEncoder(quality: 90, subsampling: .grey).encode(raster.grey)]
    }

    @Test("wherever the second begins, and whenever it is called away, the samples are the same")
    func everyPlace() throws {
        for bytes in try Self.files() {
            for (eighths, wantsMeans) in [(1, false), (2, true), (8, false)] {
                let alone = try Self.decode(bytes, eighths: eighths, by: nil, wantsMeans: wantsMeans)
                for share in stride(from: 0, through: 1, by: 0.02) {
                    for assistants in [Prompt(), Prompt(questionCount: 0), Prompt(questionCount: 2)] {
                        let shared = try Self.decode(
                            bytes, eighths: eighths, by: assistants, at: share, wantsMeans: wantsMeans)
                        #expect(
                            shared.difference(from: alone) == nil,
                            "\(eighths)/8 of \(bytes.count) bytes from \(share), \(assistants.questionCount) questions")
                    }
                }
            }
        }
    }

    @Test("blocks that end in runs of zeros are read the same, wherever parts begin")
    func runsBeyondTheEnd() throws {
        let standard = try #require(HuffmanCode.standard(isAC: true, slot: 0)).definition
        for definition in [standard, HandmadeJPEG.longRuns] {
            let bytes = HandmadeJPEG.runsBeyondTheEnd(seed: 10, definition: definition, blockCount: 3000)
            for (eighths, wantsMeans) in [(1, true), (3, false), (8, false)] {
                let alone = try Self.decode(
                    bytes, eighths: eighths, by: nil, wantsMeans: wantsMeans, splitting: .none)
                #expect(alone.error == nil)
                for share in stride(from: 0.02, through: 1, by: 0.07) {
                    let anywhere = SingleScanReader.Splitting(minimumByteCount: 64) { left in
                        min(left.upperBound - 1, left.lowerBound + Int(Double(left.count) * share))
                    }
                    let split = try Self.decode(
                        bytes, eighths: eighths, by: nil, wantsMeans: wantsMeans, splitting: anywhere)
                    #expect(split.difference(from: alone) == nil, "parts at \(share)")
                    let shared = try Self.decode(
                        bytes, eighths: eighths, by: Prompt(), at: share, wantsMeans: wantsMeans)
                    #expect(shared.difference(from: alone) == nil, "help from \(share)")
                }
            }
        }
    }

    @Test("the parts of a small file may begin at any of its bytes")
    func everyByte() throws {
        let raster = Raster(Scene(seed: 6, subject: .landscape, noise: 3), width: 83, height: 61)
        for variation in [nil, JPEGEncoder.Variation.restartUnits(3)] {
            let bytes = try JPEGEncoder(quality: 85, subsampling: .yuv420, variation: variation).encode(raster)
            let alone = try Self.decode(bytes, eighths: 3, by: nil, splitting: .none)
            for place in 1..<bytes.count {
                // Its own parts count from the first byte of the data, that of an assistant from the file's.
                let parts = SingleScanReader.Splitting(minimumByteCount: 1) { left in
                    min(left.upperBound - 1, max(left.lowerBound, place))
                }
                let split = try Self.decode(bytes, eighths: 3, by: nil, splitting: parts)
                #expect(split.difference(from: alone) == nil, "parts at \(place)")
                let shared = try Self.decode(bytes, eighths: 3, by: Prompt(), atByte: place)
                #expect(shared.difference(from: alone) == nil, "help from \(place)")
            }
        }
    }

    @Test("damaged data end alike in one part, in several, and with help, wherever those begin")
    func damage() throws {
        for (number, bytes) in try Self.files().enumerated() {
            var random = SeededGenerator(seed: UInt64(number))
            for index in 0..<40 {
                var damaged = bytes
                if random.index(below: 3) == 0 {
                    damaged.removeLast(random.index(below: bytes.count * 2 / 3))
                } else {
                    for _ in 0..<3 {
                        damaged[bytes.count / 4 + random.index(below: bytes.count * 3 / 4)] = UInt8(
                            random.index(below: 256))
                    }
                }
                let alone = try Self.decode(damaged, eighths: 2, by: nil, splitting: .none)
                let lanes = try Self.decode(damaged, eighths: 2, by: nil)
                #expect(lanes.difference(from: alone) == nil, "lanes, file \(number), damage \(index)")
                let partShare = random.value(in: 0...1)
                let anywhere = SingleScanReader.Splitting(minimumByteCount: 64) { left in
                    min(left.upperBound - 1, left.lowerBound + Int(Double(left.count) * partShare))
                }
                let split = try Self.decode(damaged, eighths: 2, by: nil, splitting: anywhere)
                #expect(split.difference(from: alone) == nil, "parts at \(partShare), file \(number), damage \(index)")
                for share in stride(from: 0.1, through: 0.9, by: 0.1) {
                    let shared = try Self.decode(damaged, eighths: 2, by: Prompt(), at: share)
                    #expect(shared.difference(from: alone) == nil, "file \(number), damage \(index), from \(share)")
                }
            }
        }
    }

    @Test(
        "restart intervals that end too soon, or are followed by more than padding, end the scan where they do in one part"
    )
    func restartIntervals() throws {
        let whole = try Self.files()[1]
        let markers = whole.indices.dropFirst().filter { whole[$0 - 1] == 0xFF && 0xD0...0xD7 ~= whole[$0] }.map {
            $0 - 1
        }
        #expect(markers.count > 10)
        for marker in markers {
            for change in [-30, -9, -1, 1, 7, 8, 9, 30, 300] {
                var bytes = whole
                if change < 0 {
                    bytes.removeSubrange(marker + change..<marker)
                } else {
                    bytes.insert(contentsOf: repeatElement(0x55, count: change), at: marker)
                }
                let alone = try Self.decode(bytes, eighths: 2, by: nil, splitting: .none)
                let small = SingleScanReader.Splitting(minimumByteCount: 64) { $0.lowerBound + 40 }
                for splitting in [SingleScanReader.Splitting.even, small] {
                    let parts = try Self.decode(bytes, eighths: 2, by: nil, splitting: splitting)
                    #expect(parts.difference(from: alone) == nil, "\(change) bytes at \(marker)")
                }
                let place = min(bytes.count - 1, marker + 20)
                let shared = try Self.decode(bytes, eighths: 2, by: Prompt(), atByte: place)
                #expect(shared.difference(from: alone) == nil, "\(change) bytes at \(marker), with help")
            }
        }
    }

    @Test("nearly every guess is found to be right")
    func joins() throws {
        for bytes in try Self.files() {
            let head = try ImageHead(reading: MemoryByteSource(bytes))
            #expect(head.contentType == .jpeg)
            var joined = 0
            for share in stride(from: 0.1, through: 0.9, by: 0.05) {
                let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))
                let decode = try #require(
                    try JPEGDecode(MemoryByteSource(bytes), eighths: 2, guardian: guardian))
                decode.sharing = SingleScanReader.Sharing(assistants: Prompt(), minimumByteCount: 0) { bytes in
                    bytes.lowerBound + Int(Double(bytes.count) * share)
                }
                let scan = try decode.openSingleScan()
                defer { scan.endAhead() }
                var count = 0
                let units = decode.header.frame.units
                while count < units.width * units.height {
                    let run = try scan.next(units.width * units.height - count, keepsCoefficients: true)
                    count += run.count - run.start
                    if scan.damage != nil { break }
                }
                if scan.hasJoinedAhead { joined += 1 }
            }
            #expect(joined >= 15, "of 17")
        }
    }

    @Test("with threads, several files at once")
    func threads() async throws {
        let files = try Self.files()
        let alone = try files.map { try Self.decode($0, eighths: 3, by: nil) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<40 {
                let index = round % files.count
                group.addTask {
                    let shared = try Self.decode(
                        files[index], eighths: 3, by: Threads(), at: Double(round) / 40)
                    #expect(shared.difference(from: alone[index]) == nil)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Larger than a window of data, and at full size more coefficients than are kept at once.
    private static func largeFile() throws -> [UInt8] {
        let raster = Raster(Scene(seed: 8, subject: .landscape, noise: 40), width: 1200, height: 900)
        return try JPEGEncoder(quality: 96, subsampling: .yuv444).encode(raster)
    }

    @Test("data of many windows, more coefficients than are kept", arguments: [1, 3, 8])
    func manyWindows(eighths: Int) throws {
        let bytes = try Self.largeFile()
        #expect(bytes.count > 2 * 160 << 10)
        let alone = try Self.decode(bytes, eighths: eighths, by: nil)
        for share in stride(from: 0.02, through: 0.98, by: 0.08) {
            let shared = try Self.decode(bytes, eighths: eighths, by: Threads(), at: share)
            #expect(shared.difference(from: alone) == nil, "from \(share)")
        }
    }

    /// Fails to read anything from a place on.
    private struct FailingSource: ByteSource {
        let bytes: MemoryByteSource
        let limit: Int
        var byteCount: Int { bytes.byteCount }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
            if offset + buffer.count > limit, limit < byteCount { throw .unreadable(path: "disk", code: 5) }
            return bytes.read(into: buffer, at: offset)
        }
    }

    @Test("a source that fails fails the image, as it does without help")
    func failingSource() throws {
        let bytes = try Self.largeFile()
        for limit in stride(from: bytes.count / 5, to: bytes.count, by: bytes.count / 9) {
            let source = FailingSource(bytes: MemoryByteSource(bytes), limit: limit)
            for assistants: any RenderAssistants in [Threads(), Prompt()] {
                let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))
                let decode = try #require(try JPEGDecode(source, eighths: 1, guardian: guardian))
                decode.sharing = SingleScanReader.Sharing(assistants: assistants, minimumByteCount: 0) { _ in
                    bytes.count / 2
                }
                let rows = JPEGRows(decode)
                let (_, error) = rows.forEachRow(in: 0..<rows.size.height) { _ in }
                #expect(error == .source(.unreadable(path: "disk", code: 5)))
            }
        }
    }
}
