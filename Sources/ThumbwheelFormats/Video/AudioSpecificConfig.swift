/// What the configuration of an AAC decoder tells (ISO/IEC 14496-3, 1.6.2.1). Containers often state two channels for
/// any sound.
struct AudioSpecificConfig {
    /// The type of the audio object; 2 is the usual one, of low complexity.
    let objectType: Int
    /// The number of channels; nil if it is stated in the coded sound only.
    let channelCount: Int?
    /// The number of samples of each channel per second; nil if its index is not defined.
    let sampleRate: Int?

    /// - Returns: nil if the configuration is too short.
    init?(_ bytes: [UInt8]) {
        var bits = BitCursor(bytes)
        guard var type = bits.next(5) else { return nil }
        if type == 31 {
            guard let rest = bits.next(6) else { return nil }
            type = 32 + rest
        }
        objectType = type
        guard let index = bits.next(4) else { return nil }
        if index == 15 {
            guard let rate = bits.next(24) else { return nil }
            sampleRate = rate
        } else {
            sampleRate = Self.rates.indices.contains(index) ? Self.rates[index] : nil
        }
        guard let channels = bits.next(4) else { return nil }
        channelCount = Self.channelCounts[channels]
    }

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]
    private static let channelCounts = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8]
}

/// Reads numbers of some bits from bytes, the highest bit first.
private struct BitCursor {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the number in the next bits; nil if there are fewer.
    mutating func next(_ count: Int) -> Int? {
        guard position + count <= 8 * bytes.count else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> (7 - position % 8) & 1)
            position += 1
        }
        return value
    }
}
