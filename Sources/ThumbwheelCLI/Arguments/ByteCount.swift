/// Numbers of bytes as people write them.
enum ByteCount {
    private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]

    /// A number above 0, and at most a tebibyte, with an optional unit.
    static func parse(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.0) }
        guard let number = Int(text.dropLast(unit?.0.count ?? 0)), number > 0, number <= 1 << 40 / (unit?.1 ?? 1)
        else { return nil }
        return number * (unit?.1 ?? 1)
    }

    /// The number with the largest unit that divides it.
    static func text(_ count: Int) -> String {
        guard let unit = units.first(where: { count.isMultiple(of: $0.1) }) else { return "\(count)" }
        return "\(count / unit.1)\(unit.0)"
    }
}
