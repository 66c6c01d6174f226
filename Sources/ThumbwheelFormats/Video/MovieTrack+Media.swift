import ThumbwheelCore

extension MovieTrack {
    /// Describes the track for a player.
    ///
    /// - Parameter movie: the header of the movie, whose time unit the track's duration has.
    func media(
        _ reader: inout HeadReader, as type: ContentType, in movie: MovieHeader
    ) throws(HeadError) -> MediaTrack {
        var media = MediaTrack(number: id, kind: kind)
        media.duration = seconds(in: movie)
        media.language = language
        media.isEnabled = isEnabled
        switch media.kind {
        case .video:
            var head = try self.head(&reader, as: type, in: movie)
            do throws(HeadError) {
                try readTimes(&reader, into: &head)
            } catch  where error.concernsBytes {
                // The rate is not known then.
            }
            media.takeFrames(head)
        case .sound, .text, .other: break
        }
        if let descriptions = samples("stsd") {
            do throws(HeadError) {
                try MovieCoding(&reader, in: descriptions, kind: media.kind).describe(&media)
            } catch  where error.concernsBytes {
                // The codec is not known then.
            }
        }
        return media
    }

    private var kind: MediaTrack.Kind {
        switch handler {
        case "vide": .video
        case "soun": .sound
        case "text", "sbtl", "subt", "subp", "clcp": .text
        default: .other
        }
    }
}
