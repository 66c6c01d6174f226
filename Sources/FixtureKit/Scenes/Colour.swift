/// A colour of 12 bits per channel.
struct Colour {
    var red: Int32
    var green: Int32
    var blue: Int32

    /// From the 24 bits that colours are usually written in.
    init(_ hex: UInt32) {
        red = Int32(hex >> 16 & 255) * 16
        green = Int32(hex >> 8 & 255) * 16
        blue = Int32(hex & 255) * 16
    }

    private init(red: Int32, green: Int32, blue: Int32) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour `amount`/256 of the way to `other`.
    func mixed(with other: Colour, _ amount: Int32) -> Colour {
        Colour(
            red: red + ((other.red - red) * amount) >> 8,
            green: green + ((other.green - green) * amount) >> 8,
            blue: blue + ((other.blue - blue) * amount) >> 8)
    }
}

/// Limits coverage to 0...256.
@inline(__always)
func coverage(_ value: Int32) -> Int32 { min(max(value, 0), 256) }
