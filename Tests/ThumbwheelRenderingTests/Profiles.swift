@testable import ThumbwheelRendering

/// ICC profiles made of curves and a matrix, byte by byte.
enum Profiles {
    enum Curve {
        case gamma(Double)
        case table([Int])
        case parametric(Int, [Double])
    }

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65536).rounded()), 4) }

    private static func element(_ curve: Curve) -> [UInt8] {
        let bytes: [UInt8] =
            switch curve {
            case .gamma(let gamma): [UInt8]("curv".utf8) + big(0, 4) + big(1, 4) + big(Int(gamma * 256), 2)
            case .table(let values):
                [UInt8]("curv".utf8) + big(0, 4) + big(values.count, 4) + values.flatMap { big($0, 2) }
            case .parametric(let type, let numbers):
                [UInt8]("para".utf8) + big(0, 4) + big(type, 2) + big(0, 2) + numbers.flatMap(fixed)
            }
        return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func triple(_ values: SIMD3<Double>) -> [UInt8] {
        [UInt8]("XYZ ".utf8) + big(0, 4) + (0..<3).flatMap { fixed(values[$0]) }
    }

    private static func profile(_ colorSpace: String, _ elements: [(tag: String, bytes: [UInt8])]) -> [UInt8] {
        var table = big(elements.count, 4)
        var data: [UInt8] = []
        let start = 132 + 12 * elements.count
        for (tag, bytes) in elements {
            table += [UInt8](tag.utf8) + big(start + data.count, 4) + big(bytes.count, 4)
            data += bytes
        }
        var header = big(start + data.count, 4) + big(0, 4) + [2, 0x40, 0, 0]
        header += [UInt8]("mntr".utf8) + [UInt8](colorSpace.utf8) + [UInt8]("XYZ ".utf8) + big(0, 12)
        header += [UInt8]("acsp".utf8) + big(0, 28) + fixed(0.9642) + fixed(1) + fixed(0.8249) + big(0, 48)
        return header + table + data
    }

    /// Pads the tag, so that the next one begins at a multiple of four.
    private static func description(_ name: String) -> [UInt8] {
        let text = [UInt8](name.utf8) + [0]
        let bytes = [UInt8]("desc".utf8) + big(0, 4) + big(text.count, 4) + text + big(0, 78)
        return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    /// A display's profile whose colorants are the columns of `matrix`.
    static func rgb(_ curve: Curve, _ matrix: Matrix3, name: String = "mine") -> [UInt8] {
        func column(_ index: Int) -> SIMD3<Double> {
            SIMD3(matrix.rows[0][index], matrix.rows[1][index], matrix.rows[2][index])
        }
        return profile(
            "RGB ",
            [
                ("desc", description(name)),
                ("wtpt", triple(SIMD3(0.9642, 1, 0.8249))), ("rXYZ", triple(column(0))), ("gXYZ", triple(column(1))),
                ("bXYZ", triple(column(2))), ("rTRC", element(curve)), ("gTRC", element(curve)),
                ("bTRC", element(curve)),
            ])
    }

    static func grey(_ curve: Curve) -> [UInt8] {
        profile("GRAY", [("wtpt", triple(SIMD3(0.9642, 1, 0.8249))), ("kTRC", element(curve))])
    }
}
