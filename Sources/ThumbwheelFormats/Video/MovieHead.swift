import ThumbwheelCore

/// Reads the header of a QuickTime, MP4 or 3GPP file. The facts are in its movie box, wherever that is (ISO/IEC
/// 14496-12; Apple's "QuickTime File Format"). The boxes with frames and sound are skipped unread.
struct MovieHead {
    private var header = MovieHeader()
    private var tracks: [MovieTrack] = []
    private var metadata = MovieMetadata()
    /// The contents of the `mvex` box, which announces fragments.
    private var extends: Range<Int>?
    private let movie: Range<Int>
    /// Whether the movie box lies in front of the frames.
    private let isInFront: Bool

    /// The greatest number of tracks that are examined.
    private static let trackLimit = 64

    static func read(_ reader: inout HeadReader, as type: ContentType) throws(HeadError) -> VideoHead {
        var movie = try MovieHead(&reader)
        return try movie.head(&reader, as: type)
    }

    /// Reads the header together with descriptions of all tracks.
    static func describe(_ reader: inout HeadReader, as type: ContentType) throws(HeadError) -> VideoContents {
        var movie = try MovieHead(&reader)
        let head = try movie.head(&reader, as: type)
        var (media, shown): ([MediaTrack], Int) = ([], 0)
        let shownIndex = movie.videoTrackIndex
        for (index, track) in movie.tracks.enumerated() {
            if index == shownIndex { shown = media.count }
            do throws(HeadError) {
                media.append(try track.media(&reader, as: type, in: movie.header))
            } catch  where error.concernsBytes {
                // The track that is shown is never left out, because its head has been read.
                guard index == shownIndex else { continue }
                var rest = MediaTrack(number: track.id, kind: .video)
                rest.takeFrames(head)
                media.append(rest)
            }
        }
        return VideoContents(head: head, tracks: media, shownTrack: shown, isIndexInFront: movie.isInFront)
    }

    private init(_ reader: inout HeadReader) throws(HeadError) {
        (movie, isInFront) = try Self.movie(&reader)
        try reader.prepare(movie)
        var walk = HEIFBoxWalk(movie)
        var position = movie.lowerBound
        do throws(HeadError) {
            while let box = try walk.next(&reader) {
                try reader.enterPart()
                try take(&reader, box, at: position)
                position = box.payload.upperBound
            }
        } catch  where error.concernsBytes && tracks.contains(where: \.isVideo) {
            // The tracks before the damage, or before a limit was reached, are enough.
        }
    }

    /// Returns the contents of the movie box, and whether it lies in front of the frames.
    private static func movie(_ reader: inout HeadReader) throws(HeadError) -> (contents: Range<Int>, isInFront: Bool) {
        var walk = HEIFBoxWalk(reader.extent)
        var (end, isInFront) = (0, true)
        while let box = try walk.next(&reader) {
            try reader.enterPart()
            if box.kind == "moov" { return (box.payload, isInFront) }
            if box.kind == "mdat", !box.payload.isEmpty { isInFront = false }
            end = box.payload.upperBound
        }
        // The file was cut short, inside the frames or inside the header of a box.
        guard end == reader.byteCount else { throw .truncated }
        throw .malformed(reason: "no moov box")
    }

    private mutating func take(
        _ reader: inout HeadReader, _ box: HEIFBoxes.Box, at position: Int
    ) throws(HeadError) {
        try Self.unlessDamaged { () throws(HeadError) in
            switch box.kind {
            case "mvhd": header = try MovieHeader(&reader, in: box.payload)
            case "trak" where tracks.count < Self.trackLimit:
                tracks.append(try MovieTrack(&reader, at: position, in: box.payload))
            case "udta": try metadata.readUserData(&reader, in: box.payload)
            case "meta": try metadata.readItems(&reader, in: box.payload)
            case "mvex": extends = box.payload
            default: break
            }
        }
    }

    /// The index of the video track: the first one that is enabled and is not the chapter list of another track. Damaged
    /// files give several tracks the same number.
    private var videoTrackIndex: Int? {
        let videos = tracks.indices.filter { tracks[$0].isVideo }
        let chapters = Set(tracks.flatMap(\.chapters))
        let pictures = videos.filter { !chapters.contains(tracks[$0].id) }
        return pictures.first { tracks[$0].isEnabled } ?? pictures.first ?? videos.first
    }

    private mutating func head(_ reader: inout HeadReader, as type: ContentType) throws(HeadError) -> VideoHead {
        guard let track = videoTrackIndex.map({ tracks[$0] }) else { throw .malformed(reason: "no track of pictures") }
        var head = try track.head(&reader, as: type, in: header)
        head.soundTracks = tracks.filter(\.isSound).map(\.position)
        head.hasSound = !head.soundTracks.isEmpty
        head.isFragmented = extends != nil
        for track in tracks {
            let (sum, overflows) = head.indexCount.addingReportingOverflow(track.indexCount)
            head.indexCount = overflows ? .max : sum
            head.sampleCount += track.sampleCount
        }
        head.duration = header.seconds ?? track.seconds(in: header) ?? 0
        try Self.unlessDamaged { () throws(HeadError) in
            try track.readTimes(&reader, into: &head)
        }
        if let extends {
            try Self.unlessDamaged { () throws(HeadError) in
                let fragments = try MovieFragments(&reader, of: track, in: extends, behind: movie.upperBound)
                try fragments.readTimes(&reader, of: header, into: &head)
            }
        }
        for other in tracks where other.handler == "meta" {
            try Self.unlessDamaged { () throws(HeadError) in
                guard let descriptions = other.samples("stsd") else { return }
                let notes = try MovieNotes(&reader, in: descriptions)
                // The track has one sample, which is shown at the time of the still.
                if notes.marksStill { head.stillTime = head.stillTime ?? other.start(in: header) }
                if notes.rendersCinematic { head.add(.cinematic, by: "a track of cinematic-video.rendering") }
            }
        }
        if let items = track.metadata {
            try Self.unlessDamaged { () throws(HeadError) in
                try metadata.readItems(&reader, in: items)
            }
        }
        head.cover = metadata.cover
        head.take(metadata.tags)
        head.adopt(header.creationDate, from: .videoHeader)
        return head
    }

    /// Reads facts that are optional. If they are damaged, reading continues with the next ones.
    private static func unlessDamaged(_ read: () throws(HeadError) -> Void) throws(HeadError) {
        do throws(HeadError) {
            try read()
        } catch  where error.concernsBytes {
            // The facts that were read before the damage are kept.
        }
    }
}
