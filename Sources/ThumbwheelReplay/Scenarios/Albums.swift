import Foundation
import ThumbwheelCore

/// The albums of a replay's library. Each is a stretch of the library's assets, and the first albums are visited most.
struct Albums {
    private static let count = 100
    /// The exponent by which popularity falls with an album's rank (Zipf's law).
    private static let exponent = 0.9

    private let assetCount: Int
    /// The share of visits that the first album gets, then the first two together, and so on, up to 1.
    private let shares: [Double]

    init(assetCount: Int) {
        self.assetCount = assetCount
        var sum = 0.0
        let sums = (1...Self.count).map { rank -> Double in
            sum += pow(Double(rank), -Self.exponent)
            return sum
        }
        shares = sums.map { $0 / sum }
    }

    /// Returns the assets of a randomly chosen album.
    ///
    /// - Parameter place: a random number from 0 to 1, evenly distributed.
    func album(at place: Double) -> Range<Int> {
        let rank = shares.firstIndex { place < $0 } ?? Self.count - 1
        // The contents of an album depend on its rank alone: from a dozen assets to some thousands.
        var generator = SeededGenerator(seed: UInt64(rank) &* 0x9E37_79B9_7F4A_7C15)
        let size = min(assetCount, Int(exp(generator.value(in: log(12)...log(4000)))))
        let first = generator.index(below: assetCount - size + 1)
        return first..<first + size
    }
}
