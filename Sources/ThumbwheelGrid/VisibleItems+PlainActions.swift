extension VisibleItems {
    /// Requests the items that have become visible, in ascending order and with equal urgency, and cancels the items
    /// that have left.
    public mutating func plainActions(for items: Range<Int>) -> [GridAction] {
        let (arrived, left) = update(to: items)
        return left.map { .cancel($0) } + arrived.map { .request($0, urgency: 0) }
    }
}
