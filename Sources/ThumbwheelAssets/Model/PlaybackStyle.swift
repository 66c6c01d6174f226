/// The way an asset is played, whatever its media are; PhotoKit's numbers.
public enum PlaybackStyle: Int, Sendable, CaseIterable {
    /// It cannot be played.
    case unsupported = 0
    /// A still picture.
    case image = 1
    /// A picture that moves by itself.
    case imageAnimated = 2
    /// A photograph with a short video beside it.
    case livePhoto = 3
    /// A video.
    case video = 4
    /// A video that repeats.
    case videoLooping = 5
}
