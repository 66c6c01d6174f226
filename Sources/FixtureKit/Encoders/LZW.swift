/// GIF's variant of Lempel-Ziv-Welch for eight-bit values (GIF89a, appendix F).
enum LZW {
    private static let clear = 256
    private static let end = 257
    private static let longest = 12

    static func compressed(_ values: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        // The code of a known prefix followed by one more value; zero is none, since no string has a root's code.
        var children = [UInt16](repeating: 0, count: 4096 * 256)
        var nextCode = end + 1
        var width = 9
        bits.write(clear, width: width)
        guard var prefix = values.first.map(Int.init) else { return bits.finished() }
        for value in values.dropFirst() {
            let place = prefix << 8 | Int(value)
            if children[place] != 0 {
                prefix = Int(children[place])
                continue
            }
            bits.write(prefix, width: width)
            if nextCode < 1 << longest {
                children[place] = UInt16(nextCode)
                // Codes get longer when the decoder, which is one string behind, needs it.
                if nextCode == 1 << width { width += 1 }
                nextCode += 1
            } else {
                bits.write(clear, width: width)
                children.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
                nextCode = end + 1
                width = 9
            }
            prefix = Int(value)
        }
        bits.write(prefix, width: width)
        // The decoder adds the string that was pending before it reads the end code.
        if nextCode == 1 << width && width < longest { width += 1 }
        bits.write(end, width: width)
        return bits.finished()
    }

    /// Bits from the low end of each byte up.
    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var pending = 0
        private var pendingCount = 0

        mutating func write(_ code: Int, width: Int) {
            pending |= code << pendingCount
            pendingCount += width
            while pendingCount >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingCount -= 8
            }
        }

        func finished() -> [UInt8] { pendingCount > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes }
    }
}
