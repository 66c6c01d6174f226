/// The name of a request within its manager; never used twice there.
public struct ImageRequestID: Hashable, Sendable, Comparable {
    /// The number; later requests have larger ones.
    public let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Earlier requests have smaller identifiers.
    public static func < (left: ImageRequestID, right: ImageRequestID) -> Bool { left.rawValue < right.rawValue }
}
