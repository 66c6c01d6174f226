/// A matrix of three by three numbers, stored row by row.
struct Matrix3 {
    var rows: [SIMD3<Double>]

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(
            rows: left.rows.map { row in
                right.rows[0] * row.x + right.rows[1] * row.y + right.rows[2] * row.z
            })
    }

    /// The inverse matrix; nil if the determinant is too close to 0.
    var inverse: Matrix3? {
        let (a, b, c) = (rows[0], rows[1], rows[2])
        let columns = [Self.cross(b, c), Self.cross(c, a), Self.cross(a, b)]
        let determinant = (a * columns[0]).sum()
        guard abs(determinant) > 1e-9 else { return nil }
        return Matrix3(
            rows: (0..<3).map { SIMD3(columns[0][$0], columns[1][$0], columns[2][$0]) / determinant })
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    /// The matrix from linear sRGB to XYZ under D50, as in ICC profiles of sRGB (IEC 61966-2-1, adapted by Bradford).
    static let sRGB = Matrix3(rows: [
        SIMD3(0.4360747, 0.3850649, 0.1430804), SIMD3(0.2225045, 0.7168786, 0.0606169),
        SIMD3(0.0139322, 0.0971045, 0.7141733),
    ])
    /// The matrix from linear Adobe RGB (1998) to XYZ under D50.
    static let adobeRGB = Matrix3(rows: [
        SIMD3(0.6097559, 0.2052401, 0.1492240), SIMD3(0.3111242, 0.6256560, 0.0632197),
        SIMD3(0.0194811, 0.0608902, 0.7448387),
    ])
}
