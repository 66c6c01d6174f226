import Foundation
import ThumbwheelCore

/// How files are imported.
public struct ImportOptions: Sendable {
    /// Where cameras' clocks are taken to have been, if the files do not tell. A server's own zone says little about it,
    /// and results should not depend on the machine: Greenwich unless the host knows better.
    public var timeZone: TimeZone
    /// Makes the hash of each photograph that is read; nil, and they come without. Called on several threads at once.
    public var thumbHash: (@Sendable (Asset) -> ThumbHash?)?

    /// Makes options; the defaults take cameras' clocks as Greenwich's and make no hashes.
    public init(timeZone: TimeZone = .gmt, thumbHash: (@Sendable (Asset) -> ThumbHash?)? = nil) {
        self.timeZone = timeZone
        self.thumbHash = thumbHash
    }
}
