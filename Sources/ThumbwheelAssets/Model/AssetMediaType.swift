/// The media types of assets, with PhotoKit's numbers.
public enum AssetMediaType: Int, Sendable, Codable, CaseIterable {
    /// A type that the library does not know.
    case unknown = 0
    /// A photograph or another picture.
    case image = 1
    /// A video.
    case video = 2
    /// A sound.
    case audio = 3
}
