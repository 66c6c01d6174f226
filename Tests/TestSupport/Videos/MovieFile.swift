/// A QuickTime or MP4 file, written box by box. What is no picture can be any bytes, because no test decodes it.
package struct MovieFile {
    /// The main brand; nil writes no `ftyp` box, as QuickTime did at first.
    package var brand: String? = "qt  "
    /// The units of time in a second of the movie.
    package var timescale = 600
    /// The length in units of the movie.
    package var duration = 6000
    /// Seconds since the beginning of 1904.
    package var created = 0
    package var matrix = BoxBytes.identity
    package var tracks = [MovieFileTrack()]
    /// The metadata of the movie.
    package var items: [MovieFileItem] = []
    /// The boxes of user data, as bytes.
    package var userData: [UInt8] = []
    /// Boxes at the end of the movie box.
    package var movieEnd: [UInt8] = []
    /// The number of bytes of the pictures.
    package var pixelCount = 1000
    /// Whether the movie box comes behind the pictures.
    package var isMovieLast = false
    /// Whether sizes have 64 bits, and times too.
    package var isWide = false
    /// Whether the metadata box has a version and flags, as in MP4.
    package var hasFullMetadata = false
    /// Boxes behind the movie box and the pictures.
    package var end: [UInt8] = []

    package init() {}

    package var front: [UInt8] {
        brand.map { BoxBytes.box("ftyp", BoxBytes.kind($0) + BoxBytes.big(512, 4) + BoxBytes.kind($0)) } ?? []
    }

    package var movie: [UInt8] {
        var payload = header + tracks.flatMap { $0.encoded(isWide: isWide) }
        if !items.isEmpty { payload += MovieFileItem.metadata(items, isFull: hasFullMetadata) }
        if !userData.isEmpty { payload += BoxBytes.box("udta", userData) }
        return BoxBytes.box("moov", payload + movieEnd, isWide: isWide)
    }

    private var header: [UInt8] {
        let width = isWide ? 8 : 4
        return BoxBytes.full(
            "mvhd", version: isWide ? 1 : 0,
            BoxBytes.big(created, width) + BoxBytes.big(created, width) + BoxBytes.big(timescale, 4)
                + BoxBytes.big(duration, width) + BoxBytes.big(0x10000, 4) + BoxBytes.big(0x100, 2)
                + [UInt8](repeating: 0, count: 10) + matrix + [UInt8](repeating: 0, count: 24) + BoxBytes.big(9, 4))
    }

    package var pixels: [UInt8] {
        BoxBytes.box("mdat", [UInt8](repeating: 0xA5, count: pixelCount), isWide: isWide)
    }

    package func encoded() -> [UInt8] {
        front + (isMovieLast ? pixels + movie : movie + pixels) + end
    }
}
