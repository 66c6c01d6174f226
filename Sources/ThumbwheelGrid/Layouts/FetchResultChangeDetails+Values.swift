import Foundation
import Thumbwheel

extension FetchResultChangeDetails {
    /// Returns a value for each element of the later result: for an element that has stayed, its value in the former
    /// result.
    ///
    /// - Parameters:
    ///   - values: the values of the former result's elements, in order.
    ///   - make: makes the value of an element that was inserted or has changed.
    /// - Precondition: The details have incremental changes.
    /// - Complexity: O(*n*) for copying the values; `make` is called only for elements that were inserted or have
    ///   changed.
    func carryOver<Value>(_ values: [Value], making make: (Element) -> Value) -> [Value] {
        let removed = removedIndexes ?? IndexSet()
        var values = removed.isEmpty ? values : Self.removing(removed, from: values)
        Self.insert(zip(insertedIndexes ?? IndexSet(), insertedObjects).map { ($0, make($1)) }, into: &values)
        for move in moves { values.insert(values.remove(at: move.from), at: move.to) }
        for index in changedIndexes ?? IndexSet() { values[index] = make(fetchResultAfterChanges[index]) }
        return values
    }

    private static func removing<Value>(_ indexes: IndexSet, from values: [Value]) -> [Value] {
        var kept: [Value] = []
        kept.reserveCapacity(values.count - indexes.count)
        var next = 0
        for range in indexes.rangeView {
            kept += values[next..<range.lowerBound]
            next = range.upperBound
        }
        return kept + values[next...]
    }

    /// Inserts values so that they end up at the given indices, which are in ascending order.
    private static func insert<Value>(_ inserted: [(Int, Value)], into values: inout [Value]) {
        guard !inserted.isEmpty else { return }
        var result: [Value] = []
        result.reserveCapacity(values.count + inserted.count)
        var next = 0
        for (place, value) in inserted {
            let end = next + place - result.count
            result += values[next..<end]
            next = end
            result.append(value)
        }
        values = result + values[next...]
    }
}
