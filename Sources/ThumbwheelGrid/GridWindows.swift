/// What a grid's window holds before its contents change, and after that.
package struct GridWindows: Sendable {
    /// In the numbers of before.
    let before: Set<Int>
    /// In the numbers of after.
    let after: Set<Int>

    /// What the window held and does not hold any more, in the numbers of before and from the top.
    ///
    /// - Parameters:
    ///   - subjectBefore: what an item was: equal where its image is the same.
    ///   - subjectAfter: what an item is.
    package func stopped<Subject: Hashable>(
        before subjectBefore: (Int) -> Subject, after subjectAfter: (Int) -> Subject
    ) -> [Int] {
        let held = Set(after.map(subjectAfter))
        return before.filter { !held.contains(subjectBefore($0)) }.sorted()
    }
}
