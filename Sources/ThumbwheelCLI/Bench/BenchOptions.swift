import Thumbwheel

struct BenchOptions: Sendable {
    var rounds: Int
    var assetCount: Int
    var albumCount: Int
    var seed: UInt64
    /// Those that packed thumbnails are made of; none, and packing is not measured.
    var photographs: [Asset] = []
}
