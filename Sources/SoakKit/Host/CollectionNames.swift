import Thumbwheel

/// The library's identifiers of the model's albums and folders.
struct CollectionNames {
    private var identifiers: [Int: CollectionIdentifier] = [:]
    private var numbers: [CollectionIdentifier: Int] = [:]

    subscript(node: Int) -> CollectionIdentifier? { identifiers[node] }

    func number(_ identifier: CollectionIdentifier) -> Int { numbers[identifier] ?? -1 }

    mutating func set(_ identifier: CollectionIdentifier, of node: Int) {
        identifiers[node] = identifier
        numbers[identifier] = node
    }

    /// Forgets all but these.
    mutating func keep(_ nodes: Set<Int>) {
        identifiers = identifiers.filter { nodes.contains($0.key) }
        numbers = numbers.filter { nodes.contains($0.value) }
    }
}
