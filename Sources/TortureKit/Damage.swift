import Thumbwheel

/// What is done to a file before it is given to the library. The same number and seed do the same to the same file.
package enum Damage: Sendable, CustomStringConvertible {
    case none
    /// All bytes from a place on are cut off.
    case cut(seed: UInt64)
    /// One to sixteen bytes are changed, half of them near the front, where structure is.
    case flips(seed: UInt64)

    /// Damage number `number` of a file: 0 is none, then come `cuts` of the one kind, and the other.
    package init(number: Int, cuts: Int, seed: UInt64) {
        let own = seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        self = number == 0 ? .none : number <= cuts ? .cut(seed: own) : .flips(seed: own)
    }

    package func applied(to whole: [UInt8]) -> [UInt8] {
        guard !whole.isEmpty else { return whole }
        switch self {
        case .none:
            return whole
        case .cut(let seed):
            var numbers = SeededGenerator(seed: seed)
            // Every other cut falls into the head.
            let reach = numbers.index(below: 2) == 0 ? min(whole.count, 4096) : whole.count
            return Array(whole[..<numbers.index(below: reach)])
        case .flips(let seed):
            var numbers = SeededGenerator(seed: seed)
            var bytes = whole
            for _ in 0..<1 << numbers.index(below: 5) {
                let reach = numbers.index(below: 2) == 0 ? min(bytes.count, 2048) : bytes.count
                let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(numbers.index(below: 256))]
                bytes[numbers.index(below: reach)] = values[numbers.index(below: values.count)]
            }
            return bytes
        }
    }

    package var description: String {
        switch self {
        case .none: "whole"
        case .cut(let seed): "cut by seed \(seed)"
        case .flips(let seed): "changed by seed \(seed)"
        }
    }
}
