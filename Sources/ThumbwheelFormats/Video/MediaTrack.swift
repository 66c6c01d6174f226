import ThumbwheelCore

/// One track of a video's file, as its header describes it: pictures, sound or something else that is played in time.
public struct MediaTrack: Sendable, Equatable {
    /// The content of a track.
    public enum Kind: String, Sendable, Hashable {
        /// Frames of a video.
        case video
        /// Sound.
        case sound
        /// Subtitles or captions.
        case text
        /// Something else, such as timed metadata or time codes.
        case other
    }

    /// The number of the track in its file. In an AVI file, which states none, streams are numbered from 1.
    public var number: Int
    /// The content of the track.
    public var kind: Kind
    /// The codec in lower-case letters, as libav spells it: `h264`, `aac`, `opus` and others. For a codec that this
    /// library does not know, it is the name in the container; nil if the container states none.
    public var codec: String?
    /// The codec with its profile and level, as the parameter `codecs` of a media type names it (RFC 6381):
    /// `avc1.64001F`, `mp4a.40.2` and others. Nil if it cannot be told from the header.
    public var codecParameter: String?
    /// The configuration of the decoder, as the container stores it: the payload of `avcC`, `hvcC` and similar boxes,
    /// the `AudioSpecificConfig` of AAC, Matroska's `CodecPrivate`. Empty if there is none, or if it is longer than
    /// 8 KiB.
    public var configuration: [UInt8] = []
    /// The duration in seconds; nil if the header does not state it.
    public var duration: Double?
    /// The language as a tag of BCP 47 or as three letters of ISO 639-2; nil if the container states none.
    public var language: String?
    /// Whether players show or play the track unless told otherwise.
    public var isEnabled = true

    /// The size of the coded frames; nil for a track without frames.
    public var codedSize: PixelSize?
    /// The average number of frames per second; nil if it is not known or if the track has no frames.
    public var frameRate: Double?
    /// The colours of the frames as stated by the container; nil if it states none.
    public var codedColor: CodingIndependentColor?

    /// The number of channels; nil if it is not known or if the track has no sound.
    public var channelCount: Int?
    /// The number of samples of each channel per second; nil if it is not known or if the track has no sound.
    public var sampleRate: Double?

    /// Makes the description of a track of which only the number and the content are known.
    public init(number: Int, kind: Kind) {
        self.number = number
        self.kind = kind
    }
}

extension MediaTrack {
    /// Copies the facts about frames from the head of a track of frames.
    mutating func takeFrames(_ head: VideoHead) {
        codec = head.codec
        codedSize = head.codedSize
        frameRate = head.frameRate
        codedColor = head.codedColor
    }

    /// Sets the facts about sound. A number that no sound has counts as not known. What the configuration of an AAC
    /// decoder states goes before what the container does.
    mutating func takeSound(channels: Int, rate: Double) {
        let own = codec == "aac" ? AudioSpecificConfig(configuration) : nil
        let channels = own?.channelCount ?? channels
        let rate = own?.sampleRate.map(Double.init) ?? rate
        channelCount = 1...Self.mostChannels ~= channels ? channels : nil
        sampleRate = Self.rates ~= rate ? rate : nil
    }

    private static let mostChannels = 255
    private static let rates = 1.0...10_000_000
}
