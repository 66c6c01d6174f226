/// The chromaticities of full red, green and blue, and of the white that they add up to.
struct RGBPrimaries: Equatable {
    private let red, green, blue, white: SIMD2<Double>

    /// The primaries of sRGB, which are those of BT.709.
    static let sRGB = RGBPrimaries([0.64, 0.33, 0.30, 0.60, 0.15, 0.06])

    private init(_ numbers: [Double], white: SIMD2<Double> = SIMD2(0.3127, 0.3290)) {
        red = SIMD2(numbers[0], numbers[1])
        green = SIMD2(numbers[2], numbers[3])
        blue = SIMD2(numbers[4], numbers[5])
        self.white = white
    }

    /// Finds the primaries for a code in ITU-T H.273, table 2. Code 2 (unspecified) is taken as BT.709. Nil for codes
    /// without a meaning.
    init?(code: UInt16) {
        let illuminantC = SIMD2(0.310, 0.316)
        switch code {
        case 1, 2: self = .sRGB
        case 4: self.init([0.67, 0.33, 0.21, 0.71, 0.14, 0.08], white: illuminantC)
        case 5: self.init([0.64, 0.33, 0.29, 0.60, 0.15, 0.06])
        case 6, 7: self.init([0.630, 0.340, 0.310, 0.595, 0.155, 0.070])
        case 8: self.init([0.681, 0.319, 0.243, 0.692, 0.145, 0.049], white: illuminantC)
        case 9: self.init([0.708, 0.292, 0.170, 0.797, 0.131, 0.046])
        case 10: self.init([1, 0, 0, 1, 0, 0], white: SIMD2(1.0 / 3, 1.0 / 3))
        case 11: self.init([0.680, 0.320, 0.265, 0.690, 0.150, 0.060], white: SIMD2(0.314, 0.351))
        case 12: self.init([0.680, 0.320, 0.265, 0.690, 0.150, 0.060])
        case 22: self.init([0.630, 0.340, 0.295, 0.605, 0.155, 0.077])
        default: return nil
        }
    }

    /// - Parameter chromaticities: eight numbers, the x and y of white, red, green and blue.
    /// - Returns: nil if the numbers cannot be chromaticities of real colours.
    init?(chromaticities: [Double]) {
        guard chromaticities.count == 8 else { return nil }
        for index in 0..<4 {
            let (x, y) = (chromaticities[2 * index], chromaticities[2 * index + 1])
            guard x >= 0, y > 0, x + y <= 1 else { return nil }
        }
        self.init(Array(chromaticities[2...]), white: SIMD2(chromaticities[0], chromaticities[1]))
        guard toXYZ.inverse != nil else { return nil }
    }

    /// Whether all chromaticities equal those of `other`, up to the rounding errors of the programs that write them.
    /// Primaries near those of sRGB are treated as sRGB.
    func isNear(_ other: RGBPrimaries) -> Bool {
        let differences = [red - other.red, green - other.green, blue - other.blue, white - other.white]
        return differences.allSatisfy { abs($0.x) <= 0.002 && abs($0.y) <= 0.002 }
    }

    /// The matrix from linear light to XYZ under the white of the primaries; its second row holds the weights of the
    /// three primaries in luminance.
    var toXYZ: Matrix3 {
        let columns = [red, green, blue].map(Self.tristimulus)
        let matrix = Matrix3(rows: (0..<3).map { row in SIMD3(columns[0][row], columns[1][row], columns[2][row]) })
        // Each primary is weighted so that all three together make white.
        let light = Self.tristimulus(white) / white.y
        let weights = matrix.inverse.map { inverse in SIMD3(inverse.rows.map { ($0 * light).sum() }) } ?? SIMD3(1, 1, 1)
        return Matrix3(rows: matrix.rows.map { $0 * weights })
    }

    /// The matrix from linear light to XYZ under D50, adapted by Bradford's method as in ICC profiles (ICC.1:2022,
    /// annex E).
    var toXYZUnderD50: Matrix3 {
        let bradford = Matrix3(rows: [
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296),
        ])
        let from = Self.tristimulus(white) / white.y
        let gains = bradford.rows.map { row in (row * SIMD3(0.9642, 1, 0.8249)).sum() / (row * from).sum() }
        guard let inverse = bradford.inverse else { return toXYZ }
        let adapted = Matrix3(rows: zip(bradford.rows, gains).map { $0 * $1 })
        return inverse * adapted * toXYZ
    }

    private static func tristimulus(_ color: SIMD2<Double>) -> SIMD3<Double> {
        SIMD3(color.x, color.y, 1 - color.x - color.y)
    }
}
