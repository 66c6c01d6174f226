import Foundation
import Testing
import Thumbwheel
import ThumbwheelReplay

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
private let photos = root + "/Fixtures/library"
private let traceFile = root + "/Benchmarks/Traces/growing.jsonl"

@Suite("A replay in a service's own tests", .enabled(if: FileManager.default.fileExists(atPath: photos)))
struct EmbeddingTests {
    // begin embedded replay
    @Test func theGridStaysFilled() async throws {
        let library = PhotoLibrary()
        try await library.importFolder(at: photos)
        let trace = try ScrollTrace(contentsOfFile: traceFile)
        let settings = ReplaySettings(deliveryMode: .opportunistic, workerCount: 2, budget: 64 << 20)
        let assets = library.fetchAssets().repeated(count: trace.assetCount ?? 1000)
        let run = await ReplayPlayer(settings: settings, assets: assets).play(trace, strategy: .thumbwheel)
        #expect(run.mismatched == 0 && run.statistics.cache.peakByteCount <= 64 << 20)
        print(run.warm.blank, "of", run.warm.cellFrames, "cell-frames blank")  // or hold it to a bound
    }
    // end
}
