import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Semantics.md, "Cache hits": a better cached rendition is resampled instead of decoding the photograph again.
@Suite struct PipelineBetterRenditionTests {
    typealias Rendition = TablePipeline.Rendition

    private var pipeline = TablePipeline()

    private mutating func submit(
        _ mode: DeliveryMode = .highQuality, side: Int, crop: NormalizedRect? = nil, encoding: ImageEncoding? = nil,
        urgency: Double = 0, bytes: Int = 2_000_000, remoteBytes: Int? = nil, allowsNetwork: Bool = true
    ) -> ImageRequestID {
        pipeline.submit(
            1, mode, side: side, crop: crop, urgency: urgency, bytes: bytes, encoding: encoding, milliseconds: 10,
            remoteBytes: remoteBytes, allowsNetwork: allowsNetwork, photograph: PixelSize(width: 4000, height: 4000))
    }

    /// The last start's source.
    private var input: RenderInput? { pipeline.driver.starts.last?.input }

    @Test("half the size is resampled, and is told to come from the cache")
    mutating func halfTheSize() throws {
        _ = submit(side: 256)
        pipeline.finishAll(bytes: 256 * 256 * 3)
        let id = submit(side: 128)
        #expect(input?.key == Rendition(1, side: 256).key)
        #expect(input?.box == SourceBox(x: 0, y: 0, width: 256, height: 256))
        pipeline.finish(Rendition(1, side: 128), bytes: 128 * 128 * 3)
        #expect(pipeline.received(id) == [.cached(.high)])
        #expect(pipeline.statistics.renders.resampled == 1)
        // It has been a miss all the same: its pixels were not there.
        #expect(pipeline.statistics.cache.hits == 0)
    }

    @Test("more than half the size is decoded, and what was resampled is not resampled again")
    mutating func tooFewPixels() {
        _ = submit(side: 256)
        pipeline.finishAll()
        _ = submit(side: 129)
        #expect(input == nil)
        pipeline.finishAll()
        _ = submit(side: 100)
        #expect(input?.key == Rendition(1, side: 256).key)
        pipeline.finishAll()
        _ = submit(side: 50)
        #expect(input?.key == Rendition(1, side: 129).key)
    }

    @Test("high quality is not made of fast, fast is made of either")
    mutating func kinds() {
        _ = submit(.fast, side: 256)
        pipeline.finishAll()
        _ = submit(side: 64)
        #expect(input == nil)
        pipeline.finishAll()
        _ = submit(.fast, side: 128)
        #expect(input?.key == Rendition(1, .fast, side: 256).key)
    }

    @Test("a file is decoded for: its entity tag promises its bytes")
    mutating func files() {
        _ = submit(side: 256)
        pipeline.finishAll()
        let id = submit(side: 128, encoding: .png)
        #expect(input == nil)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(.high)])
        // Nor is a file made of pixels that were resampled.
        _ = submit(side: 100)
        #expect(input != nil)
        pipeline.finishAll()
        _ = submit(side: 100, encoding: .png)
        #expect(input == nil)
    }

    @Test("a partial image serves nobody else")
    mutating func partialImages() {
        _ = submit(.fast, side: 256)
        let rendition = Rendition(1, .fast, side: 256)
        pipeline.finish(rendition, with: .image(TablePipeline.image(for: rendition, isPartial: true)))
        _ = submit(.fast, side: 64)
        #expect(input == nil)
    }

    @Test("what a crop does not show is decoded, what it shows is resampled")
    mutating func crops() {
        let left = NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5)
        _ = submit(side: 512, crop: left)
        pipeline.finishAll()
        _ = submit(side: 64)
        #expect(input == nil)
        pipeline.finishAll()
        _ = submit(side: 64, crop: NormalizedRect(x: 0.25, y: 0.25, width: 0.25, height: 0.25))
        #expect(input?.box == SourceBox(x: 256, y: 256, width: 256, height: 256))
    }

    @Test("the same picture asked for in other words is a hit")
    mutating func samePicture() {
        _ = submit(side: 256)
        pipeline.finishAll()
        let id = submit(side: 256, crop: .full)
        #expect(pipeline.received(id) == [.cached(.high)])
        #expect(pipeline.statistics.cache.hits == 1)
    }

    @Test("what is elsewhere is not fetched for it, network or not")
    mutating func network() {
        _ = submit(side: 256, remoteBytes: 500)
        pipeline.finishFetch(1)
        pipeline.finishAll()
        let id = submit(side: 128, remoteBytes: 500, allowsNetwork: false)
        #expect(pipeline.fetching == [])
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.cached(.high)])
    }

    @Test("the render costs its output and a resampler; what it reads stays, and is paid for once")
    mutating func budget() {
        _ = submit(side: 256)
        pipeline.finishAll(bytes: 200_000)
        _ = submit(side: 128, bytes: 2_000_000)
        let rendering = 1_000_000 + 256 << 10
        #expect(pipeline.statistics.budgetUsedByteCount == 200_000 + rendering)
        pipeline.driver.apply { $0.setBudget(0, at: $1) }
        #expect(pipeline.statistics.cachedByteCount == 200_000)
        #expect(pipeline.statistics.budgetUsedByteCount == 200_000 + rendering)
        pipeline.finishAll(bytes: 50_000)
        // What was read has gone, and what was made is on its way.
        #expect(pipeline.statistics.budgetUsedByteCount == 50_000)
    }

    @Test("pixels that are read do not count as room that could be made")
    mutating func noRoomInWhatIsRead() {
        pipeline = TablePipeline(workers: 2, budget: 2_000_000)
        _ = submit(side: 256)
        pipeline.finishAll(bytes: 600_000)
        _ = submit(side: 128, bytes: 200_000)
        #expect(input != nil)
        // Beside the pixels and the render there is no room for this.
        _ = pipeline.submit(2, bytes: 1_600_000)
        #expect(pipeline.running == [Rendition(1, side: 128)])
        #expect(pipeline.statistics.cachedByteCount == 600_000)
        pipeline.finish(Rendition(1, side: 128), bytes: 1000)
        #expect(pipeline.running == [Rendition(2)])
        #expect(pipeline.statistics.budgetPeakByteCount <= 2_000_000)
    }

    @Test("what makes room for it may be what it was to be made of: then it is decoded")
    mutating func inputGivenUp() {
        pipeline = TablePipeline(workers: 2, budget: 1_500_000)
        _ = submit(side: 256)
        pipeline.finishAll(bytes: 900_000)
        _ = submit(side: 128, bytes: 1_500_000)
        #expect(pipeline.running == [Rendition(1, side: 128)])
        #expect(input == nil)
        #expect(pipeline.statistics.budgetUsedByteCount == 1_500_000)
    }

    @Test("among visible requests it counts as cheap")
    mutating func order() {
        _ = submit(side: 256)
        pipeline.finishAll()
        let blocking = pipeline.submit(9)
        _ = pipeline.submit(2, urgency: 0, milliseconds: 10)
        _ = submit(side: 128, urgency: 3)
        pipeline.finish(Rendition(9))
        #expect(pipeline.received(blocking) == [.final(.high)])
        #expect(pipeline.running == [Rendition(1, side: 128)])
    }
}
