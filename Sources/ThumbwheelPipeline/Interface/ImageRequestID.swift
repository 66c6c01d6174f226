/// The identifier of a request. A manager never gives the same identifier to two requests.
public struct ImageRequestID: Hashable, Sendable, Comparable {
    /// The number. Of the requests that are submitted, the later have the larger ones. Requests that the cache answers at once are
    /// numbered apart, in no order, and above all others.
    public let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Makes the identifier of a request that the cache answered.
    ///
    /// - Parameters:
    ///   - count: which of the requests of its answerer it is; less than 2^57.
    ///   - answerer: the number of the answerer, from 0 to 63.
    package static func answered(_ count: UInt64, by answerer: UInt64) -> ImageRequestID {
        ImageRequestID(rawValue: 1 << 63 | count << 6 | answerer)
    }

    /// Orders identifiers by their numbers; of the requests that are submitted, earlier ones have smaller numbers.
    public static func < (left: ImageRequestID, right: ImageRequestID) -> Bool { left.rawValue < right.rawValue }
}
