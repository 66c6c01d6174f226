import CVips

/// An owned reference to a `VipsImage`, which is released when the value is destroyed.
struct VipsHandle: ~Copyable {
    let image: UnsafeMutablePointer<VipsImage>

    /// Takes ownership of a reference that the caller owned.
    init(owning image: UnsafeMutablePointer<VipsImage>) {
        self.image = image
    }

    /// Calls an operation of libvips that makes an image; nil if the operation fails.
    init?(_ operation: (UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) -> Int32) {
        var made: UnsafeMutablePointer<VipsImage>?
        guard operation(&made) == 0, let made else {
            if let made { g_object_unref(made) }
            return nil
        }
        image = made
    }

    deinit {
        g_object_unref(image)
    }

    var width: Int { Int(vips_image_get_width(image)) }
    var height: Int { Int(vips_image_get_height(image)) }
    var bands: Int { Int(vips_image_get_bands(image)) }
    var format: VipsBandFormat { vips_image_get_format(image) }

    /// The ICC profile of the file; nil if there is no profile, or one larger than `ColorConversion.profileByteLimit`.
    var profile: [UInt8]? {
        guard vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0 else { return nil }
        var bytes: UnsafeRawPointer?
        var count = 0
        guard vips_image_get_blob(image, VIPS_META_ICC_NAME, &bytes, &count) == 0,
            count <= ColorConversion.profileByteLimit
        else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The colour space of the samples. If the colour space stated in the file is impossible, libvips guesses it.
    var interpretation: VipsInterpretation { vips_image_guess_interpretation(image) }
}
