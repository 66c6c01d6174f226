/// The way in which an asset is played, with PhotoKit's numbers.
public enum AssetPlaybackStyle: Int, Sendable, CaseIterable {
    /// The asset cannot be played.
    case unsupported = 0
    /// A still picture.
    case image = 1
    /// An animated picture.
    case imageAnimated = 2
    /// A photograph with a short video.
    case livePhoto = 3
    /// A video.
    case video = 4
    /// A video that repeats.
    case videoLooping = 5
}
