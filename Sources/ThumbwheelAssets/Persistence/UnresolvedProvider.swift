import ThumbwheelCore

/// A substitute for a provider that a library's file names but that the host did not know when the library was loaded.
///
/// The asset keeps all its other data, but opening the provider is an error. Saving the library again keeps the
/// provider's identifier, so that nothing is lost.
public struct UnresolvedProvider: ResourceProvider {
    public let identifier: String
    public let requiresNetwork: Bool

    public func open() throws(ByteSourceError) -> any ByteSource { throw .notFound(path: identifier) }
}
