extension [Range<Int>] {
    /// Appends an item that is greater than all others.
    mutating func appendItem(_ item: Int) {
        if let last, last.upperBound == item {
            self[count - 1] = last.lowerBound..<item + 1
        } else {
            append(item..<item + 1)
        }
    }
}
