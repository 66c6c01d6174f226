import Thumbwheel

/// A part of all photographs: those whose identifiers leave a remainder. So several processes share one folder without
/// talking to each other.
struct Shard: Sendable, Equatable {
    /// From 1 to `count`.
    let number: Int
    let count: Int

    static let all = Shard(number: 1, count: 1)

    func contains(_ asset: Asset) -> Bool { asset.identifier.low % UInt64(count) == UInt64(number - 1) }
}

extension ValueForm<Shard> {
    static var shard: ValueForm {
        let shown: (Shard) -> String = { "\($0.number)/\($0.count)" }
        return ValueForm("N/COUNT", text: shown) { (name, text) throws(CommandError) in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let number = parts[0], let count = parts[1], (1...65_536).contains(count),
                (1...count).contains(number)
            else { throw CommandError("\(name) \(text): give a part and their number, for instance 3/16") }
            return Shard(number: number, count: count)
        }
    }
}

extension ValueForm<[PixelSize]> {
    static var sizes: ValueForm {
        let shown: ([PixelSize]) -> String = { $0.map(\.description).joined(separator: ",") }
        return ValueForm("WIDTHxHEIGHT,…", text: shown) {
            (name, text) throws(CommandError) in
            var sizes: [PixelSize] = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                sizes.append(try ValueForm<PixelSize>.size.read(name, String(word)))
            }
            return sizes
        }
    }
}
