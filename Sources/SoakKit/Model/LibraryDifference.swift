/// The objects that a transaction touched.
package struct LibraryDifference: Sendable, Equatable {
    package var insertedAssets: Set<Int> = []
    package var updatedAssets: Set<Int> = []
    package var deletedAssets: Set<Int> = []
    package var insertedNodes: Set<Int> = []
    package var updatedNodes: Set<Int> = []
    package var deletedNodes: Set<Int> = []
    /// Whether the order at the top level changed, which nobody is told of by name.
    package var movesTop = false
    /// An album that the transaction may count as changed, or not: nobody can see a change of it.
    package var possiblyUpdatedNode: Int?

    package init() {}

    /// Whether there is nothing to commit.
    package var isEmpty: Bool {
        insertedAssets.isEmpty && updatedAssets.isEmpty && deletedAssets.isEmpty && insertedNodes.isEmpty
            && updatedNodes.isEmpty && deletedNodes.isEmpty && !movesTop
    }
}
