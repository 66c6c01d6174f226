/// The identifier of a request. A manager never gives the same identifier to two requests.
public struct ImageRequestID: Hashable, Sendable, Comparable {
    /// The number of the request. Submitted requests are numbered in the order of submission. Requests that the cache
    /// answers at once have larger numbers than all submitted requests, in no particular order.
    public let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Makes the identifier of a request that the cache answered.
    ///
    /// - Parameters:
    ///   - count: the number of requests that `answerer` has answered so far, this one included; less than 2^57.
    ///   - answerer: the group of threads that has answered, as a number from 0 to 63. Each group of threads counts its
    ///     own requests.
    package static func answered(_ count: UInt64, by answerer: UInt64) -> ImageRequestID {
        ImageRequestID(rawValue: 1 << 63 | count << 6 | answerer)
    }

    /// Orders identifiers by their numbers. Of two submitted requests, the earlier one has the smaller number.
    public static func < (left: ImageRequestID, right: ImageRequestID) -> Bool { left.rawValue < right.rawValue }
}
