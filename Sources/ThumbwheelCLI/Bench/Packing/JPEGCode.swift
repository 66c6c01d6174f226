import Thumbwheel

/// JPEG of quality 90, written by libvips and read by this library's own decoder: the one that loses something.
struct JPEGCode: PackingCode {
    static let name = "jpeg90"

    private let bytes: [UInt8]

    var byteCount: Int { bytes.count }

    init(_ bitmap: Bitmap) throws {
        bytes = try bitmap.encoded(as: .jpeg(quality: 90))
    }

    func unpacked() throws -> Bitmap {
        try Renderer().render(MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum)).bitmap
    }
}
