import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

@Suite struct CachedRenditionsTests {
    private func rendition(_ number: Int, pixelCount: Int) -> (RenditionKey, SharedImage) {
        let size = PixelSize(width: pixelCount, height: 1)
        let image = PipelineImage(
            .onePixel(),
            ImageFacts(pixelSize: size, byteCount: 1, source: .reduced, eighths: 8, decoder: .vips))
        let crop = NormalizedRect(x: Double(number) / 100_000, y: 0, width: 0.1, height: 0.1)
        let rendition = TablePipeline.Rendition(1, side: 10, crop: crop)
        return (rendition.key, SharedImage(image, of: rendition.key.subject.asset))
    }

    @Test(
        "searches find what a walk over all finds, through any sequence of insertions and removals",
        arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var index = CachedRenditions()
        // The renditions in order of creation.
        var reference: [(key: RenditionKey, shared: SharedImage)] = []
        for step in 0..<600 {
            if reference.isEmpty || random.index(below: 3) > 0 {
                let new = rendition(step, pixelCount: 1 + random.index(below: 6))
                index.insert(new.0, new.1)
                reference.append(new)
            } else {
                let old = reference.remove(at: random.index(below: reference.count))
                let removals = [index.remove(old.shared), index.remove(old.shared)]
                #expect(removals == [true, false])
            }
            if !reference.isEmpty { try index.checkInvariants() }
            let wanted = Set(reference.filter { _ in random.index(below: 3) == 0 }.map(\.key))
            let least = random.index(below: 8)
            let matching = reference.filter { wanted.contains($0.key) }
            func count(_ shared: SharedImage) -> Int { shared.facts.pixelSize.pixelCount }
            let smallest = matching.filter { count($0.shared) >= least }.min { count($0.shared) < count($1.shared) }
            let found = index.smallest(ofAtLeast: least) { wanted.contains($0.key) }
            #expect(found?.shared === smallest?.shared, "seed \(seed)")
            let first = matching.first { count($0.shared) == least }
            #expect(index.first(of: least) { wanted.contains($0.key) }?.shared === first?.shared, "seed \(seed)")
            let largest = matching.max { count($0.shared) < count($1.shared) }
            #expect(index.largest { wanted.contains($0.key) }?.shared === largest?.shared, "seed \(seed)")
        }
    }

    @Test("a search looks at a bounded number of renditions, and at none that is too small")
    func bounds() {
        var index = CachedRenditions()
        for number in 0..<10_000 {
            let (key, shared) = rendition(number, pixelCount: 10)
            index.insert(key, shared)
        }
        var count = 0
        func look(_: CachedRenditions.Entry) -> Bool {
            count += 1
            return false
        }
        #expect(index.smallest(ofAtLeast: 11, where: look) == nil)
        #expect(index.first(of: 11, where: look) == nil && count == 0)
        _ = index.smallest(ofAtLeast: 10, where: look)
        _ = index.first(of: 10, where: look)
        _ = index.largest(where: look)
        #expect(count <= 3 * 512)
    }

    @Test("keys that differ only in values that callers choose have different hashes")
    func hashes() {
        func key(_ size: PixelSize, _ crop: NormalizedRect? = nil, _ encoding: ImageEncoding? = nil) -> RenditionKey {
            RenditionKey(
                subject: TablePipeline.Rendition(1).key.subject, kind: .high,
                options: RenderOptions(targetSize: size, normalizedCropRect: crop), encoding: encoding)
        }
        let crops = (0..<1000).map { number in
            key(
                PixelSize(width: 100, height: 100),
                NormalizedRect(x: Double(number) / 2000, y: 0.25, width: 0.25, height: 0.25))
        }
        let encodings = (1...100).map { key(PixelSize(width: 100, height: 100), nil, .jpeg(quality: $0)) }
        // Sides that would cancel each other out if shifts mixed them.
        let sizes = (0..<1000).map { key(PixelSize(width: $0, height: 100 ^ $0 << 18)) }
        for keys in [crops, encodings, sizes] { #expect(Set(keys.map(\.hashValue)).count == keys.count) }
    }
}
