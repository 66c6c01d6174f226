/// The pixels of a bitmap in fewer bytes, as a cache keeps those that nobody has asked for lately.
package protocol PackedPixels: Sendable {
    var byteCount: Int { get }

    func unpacked() -> Bitmap
}
