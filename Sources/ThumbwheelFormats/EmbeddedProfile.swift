/// An ICC profile inside an image file.
public struct EmbeddedProfile: Sendable, Equatable {
    /// The name that the profile gives itself (its description tag), if it could be read.
    public var name: String?
    /// The profile's four-letter colour space: `RGB`, `GRAY`, `CMYK`, … without trailing spaces.
    public var colorSpace: String
    /// The number of bytes that the profile takes in the file; in a PNG these are compressed.
    public var byteCount: Int

    /// Makes a description of a profile.
    public init(name: String?, colorSpace: String, byteCount: Int = 0) {
        self.name = name
        self.colorSpace = colorSpace
        self.byteCount = byteCount
    }
}
