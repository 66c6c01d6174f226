/// The reason why a result document cannot be compared; `description` is one line for people.
public struct ResultDocumentError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
