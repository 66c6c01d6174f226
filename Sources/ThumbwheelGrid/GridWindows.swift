/// The items in a grid's caching window before and after a change of the grid's contents.
package struct GridWindows: Sendable {
    /// The items before the change, by their numbers at that time.
    let before: Set<Int>
    /// The items after the change, by their new numbers.
    let after: Set<Int>

    /// Returns the items whose images were in the window before the change but are not in it after it, by their old
    /// numbers in ascending order.
    ///
    /// - Parameters:
    ///   - subjectBefore: returns the subject of an item before the change. Items with equal subjects show the same
    ///     image.
    ///   - subjectAfter: returns the subject of an item after the change.
    package func stopped<Subject: Hashable>(
        before subjectBefore: (Int) -> Subject, after subjectAfter: (Int) -> Subject
    ) -> [Int] {
        let held = Set(after.map(subjectAfter))
        return before.filter { !held.contains(subjectBefore($0)) }.sorted()
    }
}
