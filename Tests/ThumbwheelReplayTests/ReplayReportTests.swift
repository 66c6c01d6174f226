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
        let withoutClosing: Set<Substring> = ["meta", "br", "path"]
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
