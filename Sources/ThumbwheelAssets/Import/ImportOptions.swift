import Foundation
import ThumbwheelCore

/// The options of an import.
public struct ImportOptions: Sendable {
    /// The time zone of the cameras' clocks, for files that do not state one. The default is Greenwich time: the time
    /// zone of a server has little to do with the cameras, and the result should not depend on the computer.
    public var timeZone: TimeZone
    /// A closure that makes the thumbnail hash of each photograph that is read; nil adds photographs without hashes. It
    /// is called on several threads at the same time.
    public var thumbHash: (@Sendable (Asset) -> ThumbHash?)?

    /// Makes options. With the default values, the time zone is Greenwich time, and no hashes are made.
    public init(timeZone: TimeZone = .gmt, thumbHash: (@Sendable (Asset) -> ThumbHash?)? = nil) {
        self.timeZone = timeZone
        self.thumbHash = thumbHash
    }
}
