extension Array {
    /// Returns the first index whose element satisfies `predicate`; all elements after it must satisfy it too.
    package func partitionIndex(where predicate: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
