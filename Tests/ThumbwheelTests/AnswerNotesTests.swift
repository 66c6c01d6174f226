import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

@testable import Thumbwheel
@testable import ThumbwheelPipeline

/// The notes of the answers that one stripe of threads gets from the cache, and the numbers of the renditions that they are about.
@Suite struct AnswerNotesTests {
    private static func key(_ asset: Int) -> RenditionKey {
        RenditionKey(
            subject: RenditionKey.Subject(asset: AssetIdentifier(high: 7, low: UInt64(asset)), contentVersion: 1),
            kind: .high, options: RenderOptions(targetSize: .small))
    }

    private static func image(of asset: Int) -> SharedImage {
        SharedImage(
            PipelineImage(.onePixel(), ImageFacts(pixelSize: .small, byteCount: 100)),
            of: AssetIdentifier(high: 7, low: UInt64(asset)))
    }

    @Test("a use of a rendition that goes is not taken for one of the rendition that gets its number")
    func reuse() throws {
        var renditions = AnsweringRenditions()
        var notes = AnswerNotes(stripe: 3)
        var numbers: [Int: Int] = [:]
        for asset in 0..<500 {
            let change = RenditionChange(key: Self.key(asset), shared: Self.image(of: asset))
            let changed = renditions.apply(change)
            numbers[asset] = try #require(changed?.number)
        }
        #expect(Set(numbers.values).count == 500)
        for asset in 0..<500 {
            let isFirst = notes.noteUse(of: try #require(numbers[asset]))
            #expect(isFirst)
        }
        // Half of the renditions go, and others come until some have got their numbers.
        for asset in 0..<250 {
            let changed = renditions.apply(RenditionChange(key: Self.key(asset), shared: nil))
            #expect(changed?.number == numbers[asset] && changed?.former != nil)
            notes.forgetUse(of: try #require(numbers[asset]))
        }
        let free = Set((0..<250).compactMap { numbers[$0] })
        var heirCount = 0
        for asset in 500..<1000 {
            let change = RenditionChange(key: Self.key(asset), shared: Self.image(of: asset))
            let changed = renditions.apply(change)
            let number = try #require(changed?.number)
            notes.forgetUse(of: number)
            if free.contains(number) { heirCount += 1 }
        }
        #expect(heirCount > 100)
        var uses: [AnswerNotes.Use] = []
        var counts = CachedAnswerCounts()
        notes.take(uses: &uses, &counts, of: renditions)
        #expect(Set(uses.map(\.key)) == Set((250..<500).map(Self.key)) && uses.count == 250)
        notes.take(uses: &uses, &counts, of: renditions)
        #expect(uses.count == 250)
    }

    @Test("counts are taken once, and identifiers go on")
    func counts() {
        let renditions = AnsweringRenditions()
        var notes = AnswerNotes(stripe: 31)
        #expect(notes.isReported)
        var identifiers = [notes.countAnswer(.userInitiated), notes.countAnswer(.prefetch)]
        #expect(!notes.isReported)
        var uses: [AnswerNotes.Use] = []
        var counts = CachedAnswerCounts()
        notes.take(uses: &uses, &counts, of: renditions)
        notes.take(uses: &uses, &counts, of: renditions)
        #expect(counts.count == 2 && counts.visibleCount == 1 && notes.isReported)
        identifiers.append(notes.countAnswer(.userInitiated))
        #expect(Set(identifiers).count == 3)
        var other = AnswerNotes(stripe: 30)
        #expect(!identifiers.contains(other.countAnswer(.userInitiated)))
    }
}
