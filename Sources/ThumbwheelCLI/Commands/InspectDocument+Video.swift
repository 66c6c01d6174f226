import Thumbwheel
import ThumbwheelReplay

extension InspectDocument {
    /// The facts about a video, or about the video of a Live Photo.
    struct Video: Encodable {
        @Nullable var codec: String?
        /// The size of the coded pictures, before they are cropped, stretched and turned.
        let codedSize: String
        /// How far the pictures are turned clockwise to stand upright, in degrees.
        let rotation: Int
        /// Whether the pictures are mirrored left to right as well, before they are turned.
        let mirrored: Bool
        let pixelAspect: String
        @Nullable var duration: Double?
        @Nullable var framesPerSecond: Double?
        let sound: Bool
        /// The time of a Live Photo's still, in seconds.
        @Nullable var stillTime: Double?

        init(_ head: VideoHead) {
            codec = head.codec
            codedSize = head.codedSize.description
            (rotation, mirrored) =
                switch head.orientation {
                case .up: (0, false)
                case .right: (90, false)
                case .down: (180, false)
                case .left: (270, false)
                case .upMirrored: (0, true)
                case .rightMirrored: (90, true)
                case .downMirrored: (180, true)
                case .leftMirrored: (270, true)
                }
            pixelAspect = "\(head.pixelAspect.horizontal):\(head.pixelAspect.vertical)"
            duration = head.duration > 0 ? head.duration : nil
            framesPerSecond = head.frameRate
            sound = head.hasSound
            stillTime = head.stillTime
        }

        /// The facts as names and values, for people.
        var lines: [(name: String, value: String)] {
            var words = ["\(codec ?? "unknown coding"), \(codedSize)"]
            if rotation != 0 { words.append("turned by \(rotation)°") }
            if mirrored { words.append("mirrored") }
            if pixelAspect != "1:1" { words.append("pixels of \(pixelAspect)") }
            if let framesPerSecond { words.append("\((framesPerSecond * 1000).rounded() / 1000) frames/s") }
            words.append(sound ? "with sound" : "without sound")
            var lines = [("video", words.joined(separator: ", "))]
            if let duration { lines.append(("duration", "\((duration * 1000).rounded() / 1000) s")) }
            if let stillTime { lines.append(("still at", "\((stillTime * 1000).rounded() / 1000) s")) }
            return lines
        }
    }
}

extension InspectDocument.Video {
    /// Makes the facts about the video of an asset, or about that of a Live Photo; nil for other assets, and for a video
    /// that cannot be read.
    init?(of asset: Asset) {
        let resource = asset.resources.first { $0.type == (asset.isVideo ? .video : .pairedVideo) }
        guard let source = try? resource?.open(), let head = try? VideoHead(reading: source) else { return nil }
        self.init(head)
    }
}
