import Thumbwheel

/// A lossless code in the manner of LZ4 (Yann Collet, 2011): runs of bytes as they are, each followed by a repetition of what
/// came at most 64 KiB before, found by one look into a table of four-byte beginnings.
struct RepeatCode: PackingCode {
    static let name = "lz4"

    private let size: PixelSize
    private let bytes: [UInt8]

    var byteCount: Int { bytes.count }

    init(_ bitmap: Bitmap) {
        size = bitmap.size
        bytes = Self.packed(bitmap)
    }

    private static let shortestRepeat = 4
    private static let tableBits = 12

    private static func packed(_ bitmap: Bitmap) -> [UInt8] {
        bitmap.withUnsafeBytes { source in
            [UInt8](unsafeUninitializedCapacity: source.count + source.count / 255 + 16) { target, written in
                var writer = Writer(target: target)
                var places = [Int32](repeating: -1, count: 1 << tableBits)
                var start = 0
                var index = 0
                while index + shortestRepeat <= source.count {
                    let word = source.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                    let slot = Int((word &* 2_654_435_761) >> UInt32(32 - tableBits))
                    let place = Int(places[slot])
                    places[slot] = Int32(index)
                    guard place >= 0, index - place < 1 << 16,
                        source.loadUnaligned(fromByteOffset: place, as: UInt32.self) == word
                    else {
                        // The longer nothing is found, the fewer places are looked at.
                        index += 1 + (index - start) >> 6
                        continue
                    }
                    var length = shortestRepeat
                    while index + length < source.count, source[place + length] == source[index + length] {
                        length += 1
                    }
                    writer.write(source[start..<index], distance: index - place, length: length - shortestRepeat)
                    index += length
                    start = index
                }
                writer.write(source[start...], distance: 0, length: 0)
                written = writer.count
            }
        }
    }

    func unpacked() -> Bitmap {
        Bitmap(size: size, format: .rgb) { target in
            var next = 0
            var end = 0
            func length(_ nibble: UInt8) -> Int {
                var length = Int(nibble)
                guard nibble == 15 else { return length }
                while true {
                    let more = bytes[next]
                    next += 1
                    length += Int(more)
                    if more < 255 { return length }
                }
            }
            while end < target.count {
                let token = bytes[next]
                next += 1
                for _ in 0..<length(token >> 4) {
                    target[end] = bytes[next]
                    end += 1
                    next += 1
                }
                guard end < target.count else { break }
                let distance = Int(bytes[next]) | Int(bytes[next + 1]) << 8
                next += 2
                for _ in 0..<Self.shortestRepeat + length(token & 15) {
                    target[end] = target[end - distance]
                    end += 1
                }
            }
        }
    }

    private struct Writer {
        let target: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        mutating func write(_ literals: Slice<UnsafeRawBufferPointer>, distance: Int, length: Int) {
            put(UInt8(min(literals.count, 15)) << 4 | UInt8(min(length, 15)))
            putRest(of: literals.count)
            for byte in literals { put(byte) }
            guard distance > 0 else { return }
            put(UInt8(distance & 255))
            put(UInt8(distance >> 8))
            putRest(of: length)
        }

        private mutating func putRest(of length: Int) {
            guard length >= 15 else { return }
            var rest = length - 15
            while rest >= 255 {
                put(255)
                rest -= 255
            }
            put(UInt8(rest))
        }

        private mutating func put(_ byte: UInt8) {
            target[count] = byte
            count += 1
        }
    }
}
