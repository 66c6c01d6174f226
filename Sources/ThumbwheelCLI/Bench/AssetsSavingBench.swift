import Foundation
import Thumbwheel

/// Saving a library to a file and loading it, beside making it of its assets, one by one, as an import does once it has
/// read the heads of the files.
struct AssetsSavingBench {
    private let options: BenchOptions
    private let synthetic: SyntheticLibrary

    init(_ options: BenchOptions, _ synthetic: SyntheticLibrary) {
        self.options = options
        self.synthetic = synthetic
    }

    func rows(_ library: PhotoLibrary) async throws -> [BenchRow] {
        let path = NSTemporaryDirectory() + "thumbwheel-bench-\(UUID().uuidString).library"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var (saving, loading, importing): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<options.rounds {
            saving.append(try await Stopwatch.asyncMilliseconds { try await library.save(to: path) }.time)
            let (time, loaded) = try await Stopwatch.asyncMilliseconds { try await PhotoLibrary(loading: path) }
            loading.append(time)
            guard loaded.countOfAssets() == library.countOfAssets() else {
                throw BenchError("the library that was loaded is another than the one saved")
            }
            importing.append(try synthetic.library(albumCount: options.albumCount).milliseconds)
        }
        let byteCount = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return [
            BenchRow(
                "assets.savedBytesPerAsset", unit: "bytes", rounds: [Double(byteCount) / Double(options.assetCount)],
                operations: options.assetCount),
            BenchRow("assets.save", unit: "milliseconds", rounds: saving),
            BenchRow(
                "assets.load", unit: "milliseconds", rounds: loading, peer: "adding them to a library",
                peerRounds: importing),
        ]
    }
}
