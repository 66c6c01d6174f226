import ThumbwheelCore

/// Stands for a provider that a library's file names and that the host did not know when the library was loaded.
///
/// Its asset keeps all else; opening it is an error. Saving the library again keeps the name, so that nothing is lost.
public struct UnresolvedProvider: ResourceProvider {
    public let identifier: String
    public let requiresNetwork: Bool

    public func open() throws(ByteSourceError) -> any ByteSource { throw .notFound(path: identifier) }
}
