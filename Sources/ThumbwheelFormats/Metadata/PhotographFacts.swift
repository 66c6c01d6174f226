import ThumbwheelCore

/// The facts about a photograph or video that its file states: its header, and how, when and where it was taken. No
/// pixel is decoded.
public struct PhotographFacts: Sendable, Equatable {
    /// The facts in the header of the file. The `captureDate` comes from the most trusted source, which may be one that
    /// `ImageHead(reading:)` does not read.
    public var head: ImageHead
    /// Where the photograph was taken, by EXIF's GPS fields or their copies in XMP. Impossible coordinates are left
    /// out, and so is the point of latitude 0 and longitude 0, which cameras without a position write.
    public var location: Location?
    /// The direction in which the camera looked.
    public var heading: Heading?
    /// The source of `head.captureDate`; nil if there is no date.
    public var dateSource: DateSource?
    /// The kinds of the photograph. Each has a value in words: the fact in the file that shows the kind.
    public var kinds: [PictureKind: String]
    /// The identifier that all photographs of a burst share (Apple's maker note, or XMP's `GCamera:BurstID`).
    public var burstIdentifier: String?
    /// Whether the file says that it represents its burst (XMP's `GCamera:BurstPrimary`).
    public var representsBurst: Bool
    /// The identifier that the two files of a Live Photo share (Apple's maker note; for a video, a key in its
    /// metadata).
    public var contentIdentifier: String?
    /// The length of a video in seconds; 0 for a photograph, and if the file does not state it.
    public var duration: Double

    /// Makes the facts of a photograph from its header alone.
    public init(head: ImageHead) {
        self.head = head
        kinds = [:]
        representsBurst = false
        duration = 0
    }
}
