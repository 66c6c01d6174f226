import Thumbwheel

/// The library's own: `PackedBitmap`.
struct ResidualCode: PackingCode {
    static let name = "residuals"

    private let packed: PackedBitmap

    var byteCount: Int { packed.byteCount }

    init(_ bitmap: Bitmap) throws {
        guard let packed = PackedBitmap(bitmap) else { throw BenchError("a thumbnail that cannot be packed") }
        self.packed = packed
    }

    func unpacked() -> Bitmap { packed.unpacked() }
}
