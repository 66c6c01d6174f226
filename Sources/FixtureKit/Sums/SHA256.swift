/// SHA-256 (FIPS 180-4), so that sums need no further library.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)

    private init() {}

    /// The sum in lower-case hexadecimal.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        let whole = bytes.count / 64 * 64
        var tail = Array(bytes[whole...])
        tail.append(0x80)
        while tail.count % 64 != 56 { tail.append(0) }
        withUnsafeBytes(of: (UInt64(bytes.count) * 8).bigEndian) { tail.append(contentsOf: $0) }
        bytes.withUnsafeBytes { hash.process($0.prefix(whole)) }
        tail.withUnsafeBytes { hash.process($0[...]) }
        return hash.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Whole blocks of 64 bytes.
    private mutating func process(_ blocks: Slice<UnsafeRawBufferPointer>) {
        let bytes = UnsafeRawBufferPointer(rebasing: blocks)
        Self.constants.withUnsafeBufferPointer { constants in
            schedule.withUnsafeMutableBufferPointer { words in
                state.withUnsafeMutableBufferPointer { state in
                    for start in stride(from: 0, to: bytes.count, by: 64) {
                        Self.process(bytes, from: start, words: words, constants: constants, state: state)
                    }
                }
            }
        }
    }

    private static func process(
        _ bytes: UnsafeRawBufferPointer, from start: Int, words: UnsafeMutableBufferPointer<UInt32>,
        constants: UnsafeBufferPointer<UInt32>, state: UnsafeMutableBufferPointer<UInt32>
    ) {
        for i in 0..<16 {
            words[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start &+ i &* 4, as: UInt32.self))
        }
        for i in 16..<64 {
            let early = words[i &- 15]
            let late = words[i &- 2]
            let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words[i] = words[i &- 16] &+ sigma0 &+ words[i &- 7] &+ sigma1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let first =
                h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[i] &+ words[i]
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 &- count)
    }
}
