import SimulationKit
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

@Suite struct PipelineStatisticsTests {
    private typealias Rendition = TablePipeline.Rendition

    @Test("latencies count from the submission, by classes; what gets no image does not count")
    func latencies() {
        var pipeline = TablePipeline(workers: 2)
        _ = pipeline.submit(1)
        _ = pipeline.submit(2)
        let cancelled = pipeline.submit(3)
        pipeline.driver.now = pipeline.driver.now.advanced(byMilliseconds: 7)
        pipeline.finish(Rendition(1))
        pipeline.driver.now = pipeline.driver.now.advanced(byMilliseconds: 60_000)
        pipeline.finish(Rendition(2))
        pipeline.driver.apply { $0.cancel(cancelled, at: $1) }
        let histogram = pipeline.statistics.finalImage
        let tenMilliseconds = LatencyHistogram.bounds.firstIndex(of: 10)!
        #expect(histogram.counts[tenMilliseconds] == 1)
        #expect(histogram.counts.last == 1)
        #expect(histogram.count == 2)
        #expect(histogram.totalMilliseconds == 60_014)
        #expect(pipeline.statistics.firstImage == histogram)
    }

    @Test("the first image may be a degraded one")
    func firstImage() {
        var pipeline = TablePipeline(workers: 1)
        _ = pipeline.submit(1, .opportunistic, hasPreview: true)
        pipeline.finish(Rendition(1, .preview))
        pipeline.driver.now = pipeline.driver.now.advanced(byMilliseconds: 7)
        pipeline.finish(Rendition(1))
        #expect(pipeline.statistics.firstImage.counts[0] == 1)
        #expect(pipeline.statistics.firstImage.count == 1)
        #expect(pipeline.statistics.finalImage.counts[0] == 0)
    }

    @Test("a render that gives nobody anything is wasted: one cut short, one that fails, one evicted unseen")
    func waste() {
        var pipeline = TablePipeline(workers: 1, budget: 3000)
        func pass(_ milliseconds: Double) {
            pipeline.driver.now = pipeline.driver.now.advanced(byMilliseconds: milliseconds)
        }
        let cancelled = pipeline.submit(1)
        pass(1)
        pipeline.cancel(cancelled)
        pipeline.finish(Rendition(1), with: .stopped)
        _ = pipeline.submit(2)
        pass(2)
        pipeline.finish(Rendition(2), with: TablePipeline.truncated)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(3)], in: window)
        pass(4)
        pipeline.finish(Rendition(3))
        _ = pipeline.submit(4)
        pass(8)
        pipeline.finish(Rendition(4))
        #expect(pipeline.statistics.renders.wasted == 2)
        #expect(pipeline.statistics.renders.wastedMilliseconds == 3)
        pipeline.driver.apply { $0.setBudget(0, at: $1) }
        #expect(pipeline.statistics.renders.wasted == 3)
        #expect(pipeline.statistics.renders.wastedMilliseconds == 7)
        #expect(pipeline.statistics.renders.totalMilliseconds == 15)
    }

    @Test("the text for Prometheus has every family with its type, and classes that include the smaller ones")
    func prometheus() {
        var pipeline = TablePipeline(workers: 1)
        _ = pipeline.submit(1)
        pipeline.driver.now = pipeline.driver.now.advanced(byMilliseconds: 7)
        pipeline.finish(Rendition(1))
        let lines = pipeline.statistics.prometheusText.split(separator: "\n")
        #expect(lines.contains("thumbwheel_requests_total{outcome=\"delivered\"} 1"))
        #expect(lines.contains("thumbwheel_final_image_seconds_bucket{le=\"0.005\"} 0"))
        #expect(lines.contains("thumbwheel_final_image_seconds_bucket{le=\"0.01\"} 1"))
        #expect(lines.contains("thumbwheel_final_image_seconds_bucket{le=\"+Inf\"} 1"))
        #expect(lines.contains("thumbwheel_final_image_seconds_sum 0.007"))
        let families = Set(lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] })
        for line in lines where !line.hasPrefix("#") {
            let name = line.prefix { $0 != " " && $0 != "{" }
            let family =
                ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }.map { name.dropLast($0.count) } ?? name
            #expect(families.contains(family), "\(line)")
        }
    }
}
