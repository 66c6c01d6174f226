import Thumbwheel

/// A photograph that was made up, in memory: soft shapes under a sensor's noise.
struct BenchPicture {
    let name: String
    let asset: Asset

    init(_ name: String, bytes: [UInt8]) throws {
        self.name = name
        asset = try Asset(
            reading: .bytes(bytes), identifier: AssetIdentifier(high: 0, low: 0), originalFilename: name)
    }

    /// As many assets of the same bytes.
    func assets(count: Int) -> [Asset] {
        (0..<count).map { asset.copy(identifier: AssetIdentifier(high: 1, low: UInt64($0))) }
    }
}
