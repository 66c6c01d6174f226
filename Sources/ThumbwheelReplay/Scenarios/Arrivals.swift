/// The assets that are not in the library: those that have yet to come, and those that have left.
struct Arrivals {
    private var absent: [Int]

    /// - Parameter itemCount: of the assets that there are.
    init(itemCount: Int) {
        // The next to come is the last.
        absent = (itemCount - Self.reserve(of: itemCount)..<itemCount).reversed()
    }

    /// How many assets are kept back, to arrive while the grid moves.
    static func reserve(of itemCount: Int) -> Int { min(itemCount / 8, 2000) }

    mutating func next() -> Int? { absent.popLast() }

    /// One that has left comes again after all others.
    mutating func takeBack(_ asset: Int) {
        absent.insert(asset, at: 0)
    }
}
