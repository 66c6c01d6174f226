import Thumbwheel

/// A way to keep a bitmap in fewer bytes.
protocol PackingCode {
    static var name: String { get }
    var byteCount: Int { get }
    init(_ bitmap: Bitmap) throws
    func unpacked() throws -> Bitmap
}
