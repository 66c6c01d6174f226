/// A part of the library that `thumbwheel bench` measures. A new group is a new case and a type of its own.
enum BenchGroup: String, CaseIterable {
    case assets

    func rows(_ options: BenchOptions, progress: ProgressLine) async throws -> [BenchRow] {
        switch self {
        case .assets: try await AssetsBench(options, progress: progress).rows()
        }
    }
}

struct BenchOptions: Sendable {
    var rounds = 5
    var assetCount = 1_000_000
    var albumCount = 2000
    var seed: UInt64 = 1
}
