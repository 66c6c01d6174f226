/// A 3 x 3 matrix with just what colour spaces need.
///
/// Only the four basic operations are used here, which IEEE 754 rounds in one way: results are the same everywhere.
struct Matrix3 {
    /// The columns.
    var first: Vector3
    var second: Vector3
    var third: Vector3

    static func * (matrix: Matrix3, vector: Vector3) -> Vector3 {
        let (a, b, c) = (matrix.first, matrix.second, matrix.third)
        return Vector3(
            x: a.x * vector.x + b.x * vector.y + c.x * vector.z,
            y: a.y * vector.x + b.y * vector.y + c.y * vector.z,
            z: a.z * vector.x + b.z * vector.y + c.z * vector.z)
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(first: left * right.first, second: left * right.second, third: left * right.third)
    }

    static func diagonal(_ values: Vector3) -> Matrix3 {
        Matrix3(
            first: Vector3(x: values.x, y: 0, z: 0), second: Vector3(x: 0, y: values.y, z: 0),
            third: Vector3(x: 0, y: 0, z: values.z))
    }

    /// By cofactors.
    var inverse: Matrix3 {
        let (a, b, c) = (first, second, third)
        let rows = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
        let determinant = a.x * rows.0.x + a.y * rows.0.y + a.z * rows.0.z
        return Matrix3(
            first: Vector3(x: rows.0.x / determinant, y: rows.1.x / determinant, z: rows.2.x / determinant),
            second: Vector3(x: rows.0.y / determinant, y: rows.1.y / determinant, z: rows.2.y / determinant),
            third: Vector3(x: rows.0.z / determinant, y: rows.1.z / determinant, z: rows.2.z / determinant))
    }

    private static func cross(_ a: Vector3, _ b: Vector3) -> Vector3 {
        Vector3(x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x)
    }
}
