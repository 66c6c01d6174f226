/// Multiplies a pixel's colours by alpha, and alpha by 255. Returns the products as four numbers of 16 bits in one
/// word, in the order red, green, blue, alpha. A pixel has two bytes (grey and alpha) or four. Grey takes the places of
/// red, green and blue.
@inline(__always)
func premultiplied(_ pixel: UnsafePointer<UInt8>, channels: Int) -> UInt64 {
    var lanes: UInt64
    let alpha: UInt64
    if channels == 4 {
        var word = UInt64(UnsafeRawPointer(pixel).loadUnaligned(as: UInt32.self).littleEndian)
        alpha = word &>> 24
        word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
        lanes = (word | word &<< 8) & 0x0000_00FF_00FF_00FF
    } else {
        alpha = UInt64(pixel[1])
        lanes = UInt64(pixel[0]) &* 0x0000_0001_0001_0001
    }
    // Puts 255 in the place of alpha, so that the multiplication of the whole word by alpha gives 255 times alpha
    // there. No product exceeds 255·255, so each of the four products fits into its own 16 bits.
    lanes |= 0x00FF_0000_0000_0000
    return lanes &* alpha
}

/// Stores eight pixels as bytes: eight values of red, then eight of green, of blue and of alpha. The arguments have 6
/// fractional bits, and their colours are multiplied by alpha. The stored colours are divided by alpha again.
@inline(__always)
func storeUnpremultiplied(
    _ red: SIMD8<Int16>, _ green: SIMD8<Int16>, _ blue: SIMD8<Int16>, _ alpha: SIMD8<Int16>,
    at target: UnsafeMutableRawPointer
) {
    let bytes = target.assumingMemoryBound(to: UInt8.self)
    for line in 0..<8 {
        let opacity = Int32(alpha[line])
        // The kernel's overshoot may leave a little alpha in places that had none. Such a place gets no alpha and no
        // colour.
        guard opacity > 31 else {
            bytes[line] = 0
            bytes[8 &+ line] = 0
            bytes[16 &+ line] = 0
            bytes[24 &+ line] = 0
            continue
        }
        // A colour from 0 to 255 is the premultiplied colour · 255 / alpha. The premultiplied colour and alpha both
        // have 6 fractional bits, which cancel out.
        let scale = 255 / Float(opacity)
        @inline(__always) func level(_ value: Int16) -> UInt8 {
            UInt8(max(0, min(255, Float(value) * scale + 0.5)))
        }
        bytes[line] = level(red[line])
        bytes[8 &+ line] = level(green[line])
        bytes[16 &+ line] = level(blue[line])
        bytes[24 &+ line] = UInt8(min(255, (opacity &+ 32) &>> 6))
    }
}
