import Thumbwheel

/// Placeholder.
struct AssetsStorageBench {
    init(_ options: BenchOptions) {}

    func rows(_ library: PhotoLibrary) async throws -> [BenchRow] { [] }
}
