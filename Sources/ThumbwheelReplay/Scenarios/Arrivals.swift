/// The assets that are not in the library: some have not arrived yet, and others have left.
struct Arrivals {
    private var absent: [Int]

    /// - Parameter itemCount: the number of all assets.
    init(itemCount: Int) {
        // The next asset to arrive is the last of the array.
        absent = (itemCount - Self.reserve(of: itemCount)..<itemCount).reversed()
    }

    /// Returns the number of assets that are held back, to arrive while the grid moves.
    static func reserve(of itemCount: Int) -> Int { min(itemCount / 8, 2000) }

    mutating func next() -> Int? { absent.popLast() }

    /// Takes back an asset that has left the library; it arrives again after all others.
    mutating func takeBack(_ asset: Int) {
        absent.insert(asset, at: 0)
    }
}
