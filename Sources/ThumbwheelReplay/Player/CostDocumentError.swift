/// The reason why a document of costs cannot be used.
public struct CostDocumentError: Error, Equatable, CustomStringConvertible {
    public let description: String
}
