import ThumbwheelReplay

/// One operation, beside what else it could be done with in the same run.
struct BenchRow: Encodable {
    let name: String
    let unit: String
    /// The median of the rounds.
    let value: Double
    let rounds: [Double]
    /// How often the operation was done in each round.
    let operations: Int
    @Nullable var peer: String?
    @Nullable var peerValue: Double?
    /// The value as a part of the peer's.
    @Nullable var ratio: Double?

    init(
        _ name: String, unit: String, rounds: [Double], operations: Int = 1, peer: String? = nil,
        peerRounds: [Double] = []
    ) {
        self.name = name
        self.unit = unit
        self.rounds = rounds
        self.operations = operations
        value = Self.median(rounds)
        self.peer = peer
        peerValue = peerRounds.isEmpty ? nil : Self.median(peerRounds)
        ratio = peerValue.flatMap { [value] in $0 > 0 ? value / $0 : nil }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        if sorted.isEmpty { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
