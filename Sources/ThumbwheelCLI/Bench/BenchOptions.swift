import Thumbwheel

struct BenchOptions: Sendable {
    var rounds: Int
    var assetCount: Int
    var albumCount: Int
    var seed: UInt64
    /// The number of files that are imported.
    var fileCount = 10_000
    /// Those that packed thumbnails are made of, and that are imported; none, and neither is measured.
    var photographs: [Asset] = []
    /// The paths that the photographs were found by.
    var photographPaths: [String] = []
    /// Those whose heads are read; none, and that is not measured.
    var videos: [Asset] = []
}
