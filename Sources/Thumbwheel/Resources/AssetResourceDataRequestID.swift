/// The identifier of a request to an `AssetResourceManager`. A manager never gives the same identifier to two requests.
public struct AssetResourceDataRequestID: Hashable, Sendable {
    /// The number of the request; later requests have larger numbers.
    public let rawValue: UInt64
}
