import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// The storage under the tables of requests and jobs.
@Suite struct SlotTableTests {
    private struct Number: SlotRow {
        var value: Int
        static let vacant = Number(value: .min)
        var isVacant: Bool { value == .min }
    }

    @Test(
        "an index finds what a dictionary finds, whatever comes and goes and however hashes meet",
        arguments: 0..<8 as Range<UInt64>)
    func index(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = SlotIndex()
        var values = SlotPages<Number>()
        var slotCount = 0
        var slots: [Int: Int] = [:]
        // Few hashes: clusters, and gaps within them.
        func hash(_ value: Int) -> Int { value % 13 &* 7 }
        for step in 0..<4000 {
            if slots.isEmpty || random.index(below: 10) < (step / 500 % 2 == 0 ? 6 : 3) {
                let (slot, value) = (slotCount, random.index(below: 1 << 30) << 12 | step)
                slotCount += 1
                values.insert(Number(value: value), at: slot)
                slots[value] = slot
                index.insert(slot, hash: hash(value))
            } else {
                let (value, slot) = slots.min { $0.key < $1.key }!
                slots[value] = nil
                index.remove(slot, hash: hash(value))
                #expect(index.first(hash: hash(value)) { values[$0].value == value } == nil, "seed \(seed)")
            }
            guard step % 16 == 0 else { continue }
            #expect(index.count == slots.count, "seed \(seed)")
            for (value, slot) in slots {
                #expect(index.first(hash: hash(value)) { values[$0].value == value } == slot, "seed \(seed)")
            }
        }
    }

    @Test(
        "an index in parts finds what a dictionary finds, while parts are split and joined",
        arguments: 0..<4 as Range<UInt64>)
    func splitIndex(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = SplitSlotIndex()
        var values: [Int] = []
        var slots: [Int: Int] = [:]
        // Every fourth value meets many others at one place.
        func hash(_ value: Int) -> Int { value % 4 == 0 ? value % 13 : value &* 0x9E37_79B9 }
        for (goal, share) in [(30_000, 9), (0, 1), (5000, 6), (100, 3)] {
            while slots.count != goal {
                if slots.isEmpty || random.index(below: 10) < share {
                    let value = random.index(below: 1 << 20)
                    guard slots[value] == nil, value % 4 > 0 || value % 64 == 0 else { continue }
                    slots[value] = values.count
                    values.append(value)
                    index.insert(values.count - 1, hash: hash(value)) { hash(values[$0]) }
                } else {
                    let (value, slot) = slots.randomElement(using: &random)!
                    slots[value] = nil
                    index.remove(slot, hash: hash(value)) { hash(values[$0]) }
                }
            }
            #expect(index.count == slots.count && index.capacity <= 16 + slots.count * 8, "seed \(seed)")
            var wrongCount = 0
            for value in 0..<1 << 20 where value % 4 > 0 || value % 64 == 0 {
                let slot = index.first(hash: hash(value)) { values[$0] == value }
                if slot != slots[value] { wrongCount += 1 }
            }
            #expect(wrongCount == 0, "seed \(seed)")
        }
        for (value, slot) in slots {
            values.append(value)
            index.replace(slot, by: values.count - 1, hash: hash(value))
            #expect(index.first(hash: hash(value)) { values[$0] == value } == values.count - 1, "seed \(seed)")
        }
    }

    @Test("an index of many shrinks with their number")
    func shrinking() {
        var index = SlotIndex()
        for slot in 0..<10_000 {
            index.insert(slot, hash: slot &* 31)
        }
        #expect(index.capacity <= 4 * 10_000)
        for slot in 10..<10_000 { index.remove(slot, hash: slot &* 31) }
        #expect(index.capacity <= 256)
        for slot in 0..<10 { #expect(index.first(hash: slot &* 31) { $0 == slot } == slot) }
    }

    @Test("pages that have lost their last row are given back, while other rows stay")
    func pages() {
        var pages = SlotPages<Number>()
        for slot in 0..<100_000 { pages.insert(Number(value: slot), at: slot) }
        for slot in 1..<100_000 { pages.remove(at: slot) }
        #expect(pages.count == 1 && pages[0].value == 0 && !pages.contains(99_999))
        // Besides the page with the row, sixteen empty pages of 8 KiB stay.
        #expect(pages.capacity * MemoryLayout<Number>.stride <= 17 * 8192)
        for slot in 1..<100_000 { pages.insert(Number(value: -slot), at: slot) }
        #expect(pages.values.prefix(3).map(\.value) == [0, -1, -2] && pages[77_777].value == -77_777)
    }

    @Test("the rows of a waiting request stay small")
    func rows() {
        #expect(MemoryLayout<PipelineState.Request>.stride <= 72)
        #expect(MemoryLayout<PipelineState.Job>.stride <= 64)
        #expect(PipelineState.waitingByteCount <= 200)
    }

    @Test("keys of one form share it, and jobs of one prediction share that")
    func sharing() throws {
        var pipeline = TablePipeline()
        for asset in 0..<100 { _ = pipeline.submit(asset) }
        let jobs = Array(pipeline.driver.state.renders.values)
        #expect(Set(jobs.map { ObjectIdentifier($0.compactKey.form) }).count == 1)
        #expect(Set(jobs.map { ObjectIdentifier($0.work.prediction) }).count == 1)
        #expect(jobs.map(\.key) == (0..<100).map { TablePipeline.Rendition($0).key })
    }
}
