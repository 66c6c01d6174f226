/// The pixels of a bitmap in a compressed form. A cache keeps bitmaps that have not been requested lately in this form.
package protocol PackedPixels: Sendable {
    var byteCount: Int { get }

    func unpacked() -> Bitmap
}
