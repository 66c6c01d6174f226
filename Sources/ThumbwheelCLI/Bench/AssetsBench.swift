import Foundation
import ThumbwheelReplay

/// The asset library at a million assets, each operation beside a plain array's.
struct AssetsBench {
    let options: BenchOptions
    let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    /// - Throws: where the library refuses what it should not, or a scratch file cannot be written.
    func rows() async throws -> [BenchRow] {
        let synthetic = SyntheticLibrary(count: options.assetCount, seed: options.seed)
        progress.show("making \(options.assetCount) assets")
        let residentBefore = ProcessUsage.residentByteCounts?.now ?? 0
        let library = try synthetic.library(albumCount: options.albumCount).library
        let residentAfter = ProcessUsage.residentByteCounts?.now ?? 0
        var rows = [
            BenchRow(
                "assets.bytesPerAsset", unit: "bytes",
                rounds: [Double(residentAfter - residentBefore) / Double(options.assetCount)],
                operations: options.assetCount)
        ]
        progress.show("saving and loading")
        rows += try await AssetsSavingBench(options, synthetic).rows(library)
        // Before the transactions, after which library and array would hold different things.
        progress.show("measuring fetches")
        rows += try AssetsFetchBench(options, library, synthetic.assets()).rows()
        progress.show("measuring transactions")
        rows += try await AssetsTransactionBench(options).rows(library)
        return rows
    }
}
