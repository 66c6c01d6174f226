/// Names a request within its manager; never used twice there (row 116).
public struct ImageRequestID: Hashable, Sendable, Comparable {
    public let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Earlier requests have smaller identifiers.
    public static func < (left: ImageRequestID, right: ImageRequestID) -> Bool { left.rawValue < right.rawValue }
}
