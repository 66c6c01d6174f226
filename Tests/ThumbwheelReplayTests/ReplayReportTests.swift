import Foundation
import Testing
import Thumbwheel

@testable import ThumbwheelReplay

struct ReplayReportTests {
    private func html(of runs: [ReplayRun], scenario: String = "brisk", command: String = "thumbwheel replay") throws
        -> String
    {
        ReplayReport(document: try .sample(runs: runs, scenario: scenario), runs: runs, command: command).html
    }

    @Test("text from outside stays text")
    func hostileText() throws {
        var samples = SampleRuns()
        let runs = [samples.run(.thumbwheel, trouble: 0.1)]
        let hostile = "</title><script>alert('x')</script><img src=\"x\" onerror='y'>&amp;\u{0}"
        var document = try ReplayDocument.sample(runs: runs, scenario: hostile)
        document.host.processor = hostile
        document.host.system = hostile
        document.host.allocator = hostile
        document.host.libraries = [hostile: hostile]
        document.settings.workload.delivery = hostile
        document.settings.workload.clock = hostile
        document.settings.workload.grid = hostile
        document.settings.workload.cell = hostile
        document.settings.workload.photographs.contentHash = hostile
        document.settings.engine.version = hostile
        document.settings.engine.strategies = [hostile]

        let html = ReplayReport(document: document, runs: runs, command: hostile).html

        #expect(!html.contains("<script"))
        #expect(!html.contains("<img"))
        #expect(!html.contains("\u{0}"))
        #expect(
            html.contains(
                "<code>&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&lt;img src=&quot;x&quot; "
                    + "onerror=&#39;y&#39;&gt;&amp;amp;\u{FFFD}</code>"))
        #expect(html.components(of: "</title>") == 1)
    }

    @Test("the file refers to nothing outside itself")
    func selfContained() throws {
        var samples = SampleRuns()
        let html = try html(of: [samples.run(.thumbwheel, trouble: 0.1), samples.run(.naive, trouble: 1)])

        for reference in ["http:", "https:", "//", "src=", "href=", "url(", "@import", "<script", "<link", "<iframe"] {
            #expect(!html.contains(reference), "\(reference)")
        }
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.hasSuffix("</html>\n"))
    }

    @Test("every element that is opened is closed, in order")
    func wellFormed() throws {
        var samples = SampleRuns()
        let html = try html(of: ReplayStrategy.allCases.map { samples.run($0, trouble: 0.5) })

        #expect(html.firstUnbalancedTag == nil)
    }

    @Test("every strategy has its headline, its strip, its curves and its column")
    func contents() throws {
        var samples = SampleRuns()
        let runs = [samples.run(.thumbwheel, trouble: 0.1), samples.run(.naive, trouble: 1)]
        let html = try html(of: runs, command: "thumbwheel replay photos --seed 1")

        #expect(html.components(of: "class=\"headline ") == 2)
        #expect(html.components(of: "class=\"plot strip") == 2)
        #expect(html.components(of: "class=\"curve dashed ") == 2)
        #expect(html.components(of: "scope=\"col\"") == 2)
        #expect(html.contains("<code>thumbwheel replay photos --seed 1</code>"))
        #expect(html.contains(ThumbwheelVersion.current))
        for run in runs {
            #expect(html.contains("<dd>\(FigureFormat.share(run.warm.blank, of: run.warm.cellFrames))</dd>"))
            let p95 = Percentiles(of: run.firstMilliseconds).p95
            #expect(html.contains("<dd>\(FigureFormat.latency(milliseconds: p95))</dd>"))
        }
    }

    @Test("what must not be is marked")
    func alarms() throws {
        var samples = SampleRuns()
        var run = samples.run(.thumbwheel, trouble: 0.1)
        #expect(try !html(of: [run]).contains("class=\"alarm\""))

        run.mismatched = 1
        run.statistics.cache.peakByteCount = run.budget + 1

        #expect(try html(of: [run]).components(of: "class=\"alarm\"") == 2)
    }

    @Test("runs without frames, without latencies or never warm are shown as well", arguments: [0, 1, 7])
    func emptyRuns(frameCount: Int) throws {
        var samples = SampleRuns()
        samples.frameCount = 50
        let full = samples.run(.thumbwheel, trouble: 0.1)
        var bare = ReplayRun(
            strategy: .naive, scenario: nil, seed: 1, settings: ReplaySettings(framesPerSecond: 0, budget: 0))
        bare.frames = Array(repeating: ReplayRun.Frame(counts: CellCounts(), cachedByteCount: 0), count: frameCount)
        bare.firstMilliseconds = [.nan, .infinity]

        for runs in [[], [bare], [full, bare], [bare, full]] {
            #expect(try html(of: runs).firstUnbalancedTag == nil)
        }
        bare.warmStart = frameCount
        #expect(try html(of: [bare]).contains(frameCount == 0 ? "Nothing was played" : "blank, never warm"))
    }

    @Test("the worst second shows its assets, with the pictures that there are, and the sweep its curves")
    func extras() throws {
        var samples = SampleRuns()
        var runs = [samples.run(.thumbwheel, trouble: 0.1), samples.run(.naive, trouble: 1)]
        runs[1].worstSecond = ReplayRun.WorstSecond(
            frames: 60..<120, blankCellFrames: 1234,
            cells: [.init(asset: 7, blankFrames: 60), .init(asset: 8, blankFrames: 59)])
        var document = try ReplayDocument.sample(runs: runs)
        let played = runs
        document.sweep = ReplaySweep(.budget, values: ReplaySweep.values(from: 1 << 20, to: 5 << 20)) { _ in played }

        let html = ReplayReport(
            document: document, runs: runs, command: "", thumbnails: [7: Data([0xFF, 0xD8, 0xFF])]
        ).html

        #expect(html.firstUnbalancedTag == nil)
        #expect(html.components(of: "src=\"data:image/jpeg;base64,/9j/\"") == 1)
        #expect(html.components(of: "src=") == 1)
        #expect(html.contains("1\u{202F}234 cell-frames blank"))
        #expect(html.contains("How it scales with the budget"))
        #expect(document.sweep?.points.map(\.value) == [1 << 20, 2 << 20, 4 << 20, 5 << 20])
        #expect(html.components(of: "class=\"dot ") == 2)
    }

    @Test("a contact sheet shows every photograph, names from outside stay text")
    func contactSheet() throws {
        var images = ["photos/<b>.jpg", "photos/damaged.jpg"].map { RenderDocument.Image(file: $0) }
        images[0].milliseconds = 12.5
        images[0].source = "reduced"
        images[1].error = RenderDocument.Failure(code: "truncated", message: "the file ends too soon")
        let document = RenderDocument(
            host: try ReplayDocument.sample(runs: []).host,
            settings: RenderDocument.Settings(
                workload: RenderDocument.Workload(
                    photographs: try PhotographSet(reading: []), size: PixelSize(width: 256, height: 256),
                    content: .aspectFill,
                    delivery: .highQuality, resize: .exact, crop: nil, sampling: .standard, linear: false, rounds: 1,
                    cold: false, previews: true),
                engine: RenderDocument.Engine(workers: 1)),
            images: images, skipped: [],
            summary: RenderDocument.Summary(
                images: images, cost: TimedCost(), renderCount: 1, megapixels: 1, peakResidentBytes: 0))

        let html = RenderReport(document: document, command: "thumbwheel render", thumbnails: [0: Data([1, 2, 3])]).html

        #expect(html.firstUnbalancedTag == nil)
        #expect(html.contains("&lt;b&gt;.jpg") && !html.contains("<b>.jpg"))
        #expect(html.contains("12.5\u{202F}ms") && html.contains("truncated"))
        #expect(html.components(of: "<img") == 1)
    }

    @Test("an hour of frames makes no larger a file than a minute")
    func size() throws {
        var samples = SampleRuns()
        samples.frameCount = 216_000
        let run = samples.run(.naive, trouble: 1)
        #expect(run.firstMilliseconds.count + run.neverFilled > 100_000)

        let html = try html(of: [run, run, run])

        #expect(html.utf8.count < 300_000)
    }
}

extension String {
    /// How often `part` occurs.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }

    /// The first closing tag that does not fit, or opening tag that is never closed.
    fileprivate var firstUnbalancedTag: Substring? {
        var open: [Substring] = []
        let withoutClosing: Set<Substring> = ["meta", "br", "path", "img"]
        for match in matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) where !withoutClosing.contains(match.2) {
            if match.1.isEmpty {
                open.append(match.2)
            } else if open.popLast() != match.2 {
                return match.0
            }
        }
        return open.last
    }
}
