import ThumbwheelCore

/// A replacement for a provider that a library's file names and that the host program did not know when the library was
/// loaded.
///
/// The asset has all its other data, but opening the provider throws. If the library is saved again, the provider's
/// identifier is saved too, so that nothing is lost.
public struct UnresolvedProvider: ResourceProvider {
    public let identifier: String
    public let requiresNetwork: Bool

    public func open() throws(ByteSourceError) -> any ByteSource { throw .notFound(path: identifier) }
}
