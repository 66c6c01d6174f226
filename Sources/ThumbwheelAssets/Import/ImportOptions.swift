import Foundation
import ThumbwheelCore

/// The options of an import.
public struct ImportOptions: Sendable {
    /// The time zone assumed for cameras' clocks if the files do not state one. The default is Greenwich time, because a
    /// server's own time zone says little about the cameras, and results should not depend on the computer.
    public var timeZone: TimeZone
    /// Makes the thumbnail hash of each photograph that is read; nil adds photographs without hashes. Called on several
    /// threads at once.
    public var thumbHash: (@Sendable (Asset) -> ThumbHash?)?

    /// Makes options. The defaults assume Greenwich time for cameras' clocks and make no hashes.
    public init(timeZone: TimeZone = .gmt, thumbHash: (@Sendable (Asset) -> ThumbHash?)? = nil) {
        self.timeZone = timeZone
        self.thumbHash = thumbHash
    }
}
