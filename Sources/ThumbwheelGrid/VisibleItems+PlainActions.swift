extension VisibleItems {
    /// Asks for what arrives, in order of arrival, and cancels what left.
    public mutating func plainActions(for items: Range<Int>) -> [GridAction] {
        let (arrived, left) = update(to: items)
        return left.map { .cancel($0) } + arrived.map { .request($0, urgency: 0) }
    }
}
