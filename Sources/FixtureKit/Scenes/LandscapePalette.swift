/// The colours of a landscape under one kind of light.
struct LandscapePalette {
    var sky: Sky
    var haze: Colour
    var rock: Colour
    var meadowFar: Colour
    var meadowNear: Colour
    var boulder: Colour
    var leaf: Colour

    static let all = [
        // Noon in summer.
        LandscapePalette(
            sky: Sky(
                zenith: Colour(0x2F66B0), horizon: Colour(0xB4D2EC), cloud: Colour(0xF6F7FA), sun: Colour(0xFFFBEA)),
            haze: Colour(0x9DB9D6), rock: Colour(0x4A5A50), meadowFar: Colour(0x7E9A4E),
            meadowNear: Colour(0x4F7A2C), boulder: Colour(0x8C877C), leaf: Colour(0x2F5420)),
        // Late light.
        LandscapePalette(
            sky: Sky(
                zenith: Colour(0x3B4A7E), horizon: Colour(0xF3B77C), cloud: Colour(0xE7A58C), sun: Colour(0xFFF0C4)),
            haze: Colour(0xC99A86), rock: Colour(0x4A3B45), meadowFar: Colour(0x8F7A42),
            meadowNear: Colour(0x54501F), boulder: Colour(0x7A655A), leaf: Colour(0x2C2E17)),
        // Autumn.
        LandscapePalette(
            sky: Sky(
                zenith: Colour(0x6E8CAC), horizon: Colour(0xD9DDDC), cloud: Colour(0xE9E6E0), sun: Colour(0xFFF6DC)),
            haze: Colour(0xA9B0B0), rock: Colour(0x6A4A32), meadowFar: Colour(0xB58F45),
            meadowNear: Colour(0x7E6A2A), boulder: Colour(0x86807A), leaf: Colour(0x9A4A1C)),
        // Rain about to come.
        LandscapePalette(
            sky: Sky(
                zenith: Colour(0x56626E), horizon: Colour(0xB9C0C2), cloud: Colour(0x8E979D), sun: Colour(0xE6E6E0)),
            haze: Colour(0x8F9CA3), rock: Colour(0x39463F), meadowFar: Colour(0x6C8256),
            meadowNear: Colour(0x3C5A30), boulder: Colour(0x6A6C6B), leaf: Colour(0x22401F)),
    ]
}
