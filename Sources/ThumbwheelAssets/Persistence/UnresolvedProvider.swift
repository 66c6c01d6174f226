import ThumbwheelCore

/// A stand-in for a provider whose identifier is in a library's file. The program that uses this library did not know
/// the identifier when it loaded the library's file.
///
/// The asset has all its other data, but opening the provider throws. If the library is saved again, the provider's
/// identifier is saved too, so that nothing is lost.
public struct UnresolvedProvider: ResourceProvider {
    public let identifier: String
    public let requiresNetwork: Bool

    public func open() throws(ByteSourceError) -> any ByteSource { throw .notFound(path: identifier) }
}
