import Foundation

/// A tone curve of a profile: the function from the value of a sample to light, stored as `curveType` or
/// `parametricCurveType` (ICC.1:2022, 10.6 and 10.18).
enum ToneCurve {
    case power(Double)
    case table([Double])
    /// A parametric curve of ICC.1:2022, 10.18: its function type from 0 to 4, and its parameters g, a, b, c, d, e and
    /// f. Parameters that the type lacks are 0.
    case parametric(Int, [Double])

    /// Reads a curve from a tag of a profile.
    ///
    /// - Parameter bytes: the bytes of the tag, with the type signature.
    /// - Returns: nil if the bytes are not a valid curve.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 12 else { return nil }
        if bytes.prefix(4).elementsEqual("curv".utf8) {
            let count = bytes.bigEndian(at: 8, 4)
            guard count <= 65536, bytes.count >= 12 + 2 * count else { return nil }
            if count == 0 {
                self = .power(1)
            } else if count == 1 {
                self = .power(Double(bytes.bigEndian(at: 12, 2)) / 256)
            } else {
                self = .table((0..<count).map { Double(bytes.bigEndian(at: 12 + 2 * $0, 2)) / 65535 })
            }
        } else {
            guard bytes.prefix(4).elementsEqual("para".utf8) else { return nil }
            let type = bytes.bigEndian(at: 8, 2)
            guard type <= 4 else { return nil }
            let count = [1, 3, 4, 5, 7][type]
            guard bytes.count >= 12 + 4 * count else { return nil }
            let given = (0..<count).map { bytes.fixedPoint(at: 12 + 4 * $0) }
            self = .parametric(type, given + Array(repeating: 0, count: 7 - count))
        }
    }

    /// The light, from 0 to 1, for the value of a sample from 0 to 1.
    func light(_ sample: Double) -> Double {
        let light: Double
        switch self {
        case .power(let gamma): light = pow(sample, gamma)
        case .table(let values):
            let place = sample * Double(values.count - 1)
            let index = min(Int(place), values.count - 2)
            light = values[index] + (values[index + 1] - values[index]) * (place - Double(index))
        case .parametric(let type, let p):
            let (g, a, b, c, d, e, f) = (p[0], p[1], p[2], p[3], p[4], p[5], p[6])
            func power(_ base: Double) -> Double { base <= 0 ? 0 : pow(base, g) }
            switch type {
            case 0: light = power(sample)
            case 1: light = a * sample + b >= 0 ? power(a * sample + b) : 0
            case 2: light = (a * sample + b >= 0 ? power(a * sample + b) : 0) + c
            case 3: light = sample >= d ? power(a * sample + b) : c * sample
            default: light = sample >= d ? power(a * sample + b) + e : c * sample + f
            }
        }
        return light.isFinite ? max(0, min(1, light)) : 0
    }
}

extension ArraySlice<UInt8> {
    /// The unsigned integer of `width` bytes, in big-endian order, that begins `offset` bytes from the start. Bytes
    /// beyond the end of the slice count as 0.
    func bigEndian(at offset: Int, _ width: Int) -> Int {
        (0..<width).reduce(0) { value, index in
            let place = startIndex + offset + index
            return value << 8 | (place < endIndex ? Int(self[place]) : 0)
        }
    }

    /// The number of type s15Fixed16Number (ICC.1:2022, 4.6) that begins `offset` bytes from the start.
    func fixedPoint(at offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: bigEndian(at: offset, 4))) / 65536
    }
}
