import CVips
import VipsStart

/// Encodes through libvips where no small writer of our own would do.
///
/// Operations are set up by name and property, since libvips's own save functions are variadic and so out of Swift's
/// reach. libvips's global settings are left alone: a test process has other users of it.
struct VipsEncoder: Sendable, Hashable {
    /// The end of a file's name: what libvips finds the encoder by.
    var suffix: String
    /// Options in libvips's own notation, such as "Q=80,effort=4".
    var options: String

    /// Pixels of eight or sixteen bits per channel.
    enum Pixels {
        case bytes(Raster)
        case words(width: Int, height: Int, [UInt16])
    }

    /// What goes into the file with the pixels.
    struct Metadata: Sendable, Hashable {
        var exif: ExifBlock?
        var profile: [UInt8]?
    }

    func encode(_ raster: Raster, metadata: Metadata = Metadata()) throws(FixtureError) -> [UInt8] {
        try encode(.bytes(raster), metadata: metadata)
    }

    func encode(_ pixels: Pixels, metadata: Metadata = Metadata()) throws(FixtureError) -> [UInt8] {
        guard VipsStart.isUsable else { throw .encoder("libvips", "does not start") }
        guard let saver = vips_foreign_find_save_buffer(suffix) else {
            vips_error_clear()
            throw .missingEncoder(suffix)
        }
        guard let image = Self.image(pixels) else { throw failure() }
        defer { g_object_unref(image) }
        metadata.attach(to: image)

        guard var operation = vips_operation_new(saver) else { throw failure() }
        defer {
            vips_object_unref_outputs(UnsafeMutableRawPointer(operation).assumingMemoryBound(to: VipsObject.self))
            g_object_unref(operation)
        }
        let object = UnsafeMutableRawPointer(operation)
        var input = GValue()
        g_value_init(&input, vips_image_get_type())
        g_value_set_object(&input, image)
        g_object_set_property(object.assumingMemoryBound(to: GObject.self), "in", &input)
        g_value_unset(&input)
        guard vips_object_set_from_string(object.assumingMemoryBound(to: VipsObject.self), options) == 0 else {
            throw failure()
        }
        // Building runs the operation; it may hand back another object than it was given.
        var built: UnsafeMutablePointer<VipsOperation>? = operation
        let status = vips_cache_operation_buildp(&built)
        if let built { operation = built }
        guard status == 0 else { throw failure() }
        return try output(of: operation)
    }

    private func output(of operation: UnsafeMutablePointer<VipsOperation>) throws(FixtureError) -> [UInt8] {
        var value = GValue()
        g_value_init(&value, vips_blob_get_type())
        defer { g_value_unset(&value) }
        let object = UnsafeMutableRawPointer(operation).assumingMemoryBound(to: GObject.self)
        g_object_get_property(object, "buffer", &value)
        var byteCount = 0
        guard let bytes = vips_value_get_blob(&value, &byteCount) else { throw failure() }
        return Array(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    }

    private func failure() -> FixtureError {
        let words = String(cString: vips_error_buffer())
        vips_error_clear()
        return .encoder("libvips \(suffix)", words.split(separator: "\n").joined(separator: "; "))
    }

    private static func image(_ pixels: Pixels) -> UnsafeMutablePointer<VipsImage>? {
        switch pixels {
        case .bytes(let raster):
            let image = vips_image_new_from_memory_copy(
                raster.bytes, raster.bytes.count, Int32(raster.width), Int32(raster.height), Int32(raster.channels),
                VIPS_FORMAT_UCHAR)
            image?.pointee.Type = raster.channels < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB
            return image
        case .words(let width, let height, let words):
            let image = vips_image_new_from_memory_copy(
                words, words.count * 2, Int32(width), Int32(height), 3, VIPS_FORMAT_USHORT)
            image?.pointee.Type = VIPS_INTERPRETATION_RGB16
            return image
        }
    }
}

extension VipsEncoder.Metadata {
    fileprivate func attach(to image: UnsafeMutablePointer<VipsImage>) {
        if let exif { vips_image_set_blob_copy(image, VIPS_META_EXIF_NAME, exif.app1, exif.app1.count) }
        if let profile { vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, profile.count) }
    }
}
