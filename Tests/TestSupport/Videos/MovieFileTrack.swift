/// A track of a `MovieFile`.
package struct MovieFileTrack {
    package var id = 1
    package var isEnabled = true
    package var handler = "vide"
    package var matrix = BoxBytes.identity
    /// The size in which the track is shown, in 65 536ths of a pixel.
    package var presented = (width: 1920 << 16, height: 1080 << 16)
    /// The length in units of the movie.
    package var duration = 6000
    /// The units of time in a second of the samples, and their length.
    package var timescale = 30_000
    package var mediaDuration = 300_300
    /// Runs of samples of one length.
    package var times = [(count: 300, length: 1001)]
    package var coding = "avc1"
    package var size = (width: 1920, height: 1080)
    /// The boxes of the sample description.
    package var descriptionBoxes: [UInt8] = []
    /// The sample description as a whole, for tracks that hold no pictures.
    package var description: [UInt8]?
    /// Durations in units of the movie, and starts in units of the track; a start of -1 marks a stretch without samples.
    package var edits: [(duration: Int, start: Int)] = []
    /// Tracks that list the chapters of this one.
    package var chapters: [Int] = []
    package var items: [MovieFileItem] = []
    /// Boxes at the end of the sample table.
    package var tableEnd: [UInt8] = []

    package init() {}

    /// A track of sound.
    package static func sound(id: Int = 2) -> MovieFileTrack {
        var track = MovieFileTrack()
        (track.id, track.handler, track.presented) = (id, "soun", (0, 0))
        track.description = BoxBytes.box("mp4a", [UInt8](repeating: 0, count: 28))
        return track
    }

    /// The track that marks the still of a Live Photo by its one sample, `time` units of the movie after the beginning.
    package static func still(id: Int = 3, at time: Int, key: String = "com.apple.quicktime.still-image-time")
        -> MovieFileTrack
    {
        var track = MovieFileTrack()
        (track.id, track.handler, track.presented) = (id, "meta", (0, 0))
        let declaration = BoxBytes.box("keyd", BoxBytes.kind("mdta" + key))
        let keys = BoxBytes.box("keys", BoxBytes.big(declaration.count + 8, 4) + BoxBytes.big(1, 4) + declaration)
        track.description = BoxBytes.box("mebx", [UInt8](repeating: 0, count: 8) + keys)
        track.edits = [(time, -1), (20, 0)]
        (track.times, track.mediaDuration) = ([(1, 1000)], 1000)
        return track
    }

    func encoded(isWide: Bool) -> [UInt8] {
        let width = isWide ? 8 : 4
        let version = isWide ? 1 : 0
        let header = BoxBytes.full(
            "tkhd", version: version, flags: isEnabled ? 3 : 2,
            BoxBytes.big(0, 2 * width) + BoxBytes.big(id, 4) + BoxBytes.big(0, 4) + BoxBytes.big(duration, width)
                + BoxBytes.big(0, 16) + matrix + BoxBytes.big(presented.width, 4) + BoxBytes.big(presented.height, 4))
        let mediaHeader = BoxBytes.full(
            "mdhd", version: version,
            BoxBytes.big(0, 2 * width) + BoxBytes.big(timescale, 4) + BoxBytes.big(mediaDuration, width)
                + BoxBytes.big(0, 4))
        let media = mediaHeader + MovieFileItem.handler(handler) + BoxBytes.box("minf", BoxBytes.box("stbl", samples))
        var payload = header + BoxBytes.box("mdia", media)
        if !edits.isEmpty { payload += editList(width: width, version: version) }
        if !chapters.isEmpty {
            payload += BoxBytes.box("tref", BoxBytes.box("chap", chapters.flatMap { BoxBytes.big($0, 4) }))
        }
        if !items.isEmpty { payload += MovieFileItem.metadata(items) }
        return BoxBytes.box("trak", payload)
    }

    private func editList(width: Int, version: Int) -> [UInt8] {
        let entries = edits.flatMap {
            BoxBytes.big($0.duration, width) + BoxBytes.big($0.start, width) + BoxBytes.big(0x10000, 4)
        }
        return BoxBytes.box("edts", BoxBytes.full("elst", version: version, BoxBytes.big(edits.count, 4) + entries))
    }

    private var samples: [UInt8] {
        let count = times.reduce(0) { $0 + $1.count }
        return BoxBytes.full("stsd", BoxBytes.big(1, 4) + (description ?? pictureDescription))
            + BoxBytes.full(
                "stts",
                BoxBytes.big(times.count, 4)
                    + times.flatMap { BoxBytes.big($0.count, 4) + BoxBytes.big($0.length, 4) })
            + BoxBytes.full("stsz", BoxBytes.big(1, 4) + BoxBytes.big(count, 4)) + tableEnd
    }

    private var pictureDescription: [UInt8] {
        let fields: [UInt8] =
            BoxBytes.big(1, 8) + BoxBytes.big(0, 16) + BoxBytes.big(size.width, 2) + BoxBytes.big(size.height, 2)
            + BoxBytes.big(0x0048_0000, 4) + BoxBytes.big(0x0048_0000, 4) + BoxBytes.big(0, 4) + BoxBytes.big(1, 2)
            + [UInt8](repeating: 0, count: 32) + BoxBytes.big(24, 2) + BoxBytes.big(0xFFFF, 2)
        return BoxBytes.box(coding, fields + descriptionBoxes)
    }
}
