/// A compiled condition on rows. It looks at a chunk at a time, and only at rows that are still in question: what comes
/// first in a conjunction spares what comes after it.
protocol RowTest: Sendable {
    /// Takes out of `mask` the rows for which the condition does not hold.
    func refine(_ mask: inout RowMask, in chunk: Chunk)

    /// What the creation dates are between of all rows that the condition can hold for.
    var dates: DateBounds { get }
}

extension RowTest {
    var dates: DateBounds { .all }
}

struct ConstantTest: RowTest {
    let holds: Bool

    var dates: DateBounds { holds ? .all : DateBounds() }

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        if !holds { mask = .none }
    }
}

struct BothTest: RowTest {
    let first: any RowTest
    let second: any RowTest

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        first.refine(&mask, in: chunk)
        if !mask.isEmpty { second.refine(&mask, in: chunk) }
    }

    var dates: DateBounds { first.dates.intersection(second.dates) }
}

struct EitherTest: RowTest {
    let first: any RowTest
    let second: any RowTest

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        var one = mask
        first.refine(&one, in: chunk)
        var other = mask & ~one
        if !other.isEmpty { second.refine(&other, in: chunk) }
        mask = one | other
    }

    var dates: DateBounds { first.dates.hull(second.dates) }
}

struct NotTest: RowTest {
    let test: any RowTest

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        var refused = mask
        test.refine(&refused, in: chunk)
        mask &= ~refused
    }
}

struct FlagTest: RowTest {
    let flag: RowFlag

    func refine(_ mask: inout RowMask, in chunk: Chunk) { mask &= chunk.columns.mask(flag) }
}

/// A test of each row's own value in one column.
struct ColumnTest<Value: Sendable>: RowTest {
    /// The column; an empty one stands for `absent` in every row.
    let column: @Sendable (ChunkColumns) -> [Value]
    let absent: Value
    let holds: @Sendable (Value) -> Bool

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        let values = column(chunk.columns)
        if values.isEmpty {
            if !holds(absent) { mask = .none }
        } else {
            ColumnScan.refine(&mask, values, holds)
        }
    }
}

/// A comparison of a column with one value: the loop that most predicates spend their time in.
struct ComparisonTest<Value: Comparable & Sendable>: RowTest {
    let column: @Sendable (ChunkColumns) -> [Value]
    let absent: Value
    let relation: Relation
    let value: Value

    // A test is called by its protocol, where the compiler knows no type: without these, every row's value would be
    // compared through a table of functions.
    @_specialize(where Value == Double)
    @_specialize(where Value == UInt8)
    @_specialize(where Value == Int32)
    @_specialize(where Value == UInt32)
    @_specialize(where Value == Int64)
    @_specialize(where Value == UInt64)
    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        let values = column(chunk.columns)
        let value = value
        if values.isEmpty {
            if !relation.holds(absent, value) { mask = .none }
            return
        }
        // One loop for each relation: a choice inside the loop would keep it from being vectorised.
        switch relation {
        case .less: ColumnScan.refine(&mask, values) { $0 < value }
        case .lessOrEqual: ColumnScan.refine(&mask, values) { $0 <= value }
        case .greater: ColumnScan.refine(&mask, values) { $0 > value }
        case .greaterOrEqual: ColumnScan.refine(&mask, values) { $0 >= value }
        case .equal: ColumnScan.refine(&mask, values) { $0 == value }
        case .notEqual: ColumnScan.refine(&mask, values) { $0 != value }
        }
    }
}

enum ColumnScan {
    /// With fewer rows than this left in a word, they are looked at one by one.
    private static let sparseCount = 8

    @inline(__always)
    static func refine<Value>(_ mask: inout RowMask, _ values: [Value], _ holds: (Value) -> Bool) {
        precondition(values.count == Chunk.rowCount, "a column of \(values.count) rows")
        values.withUnsafeBufferPointer { values in
            for word in 0..<Chunk.wordCount {
                let asked = mask[word]
                if asked == 0 { continue }
                let start = word &* 64
                var found: UInt64 = 0
                if asked.nonzeroBitCount < sparseCount {
                    var bits = asked
                    while bits != 0 {
                        let place = bits.trailingZeroBitCount
                        if holds(values[start &+ place]) { found |= 1 &<< UInt64(place) }
                        bits &= bits &- 1
                    }
                } else {
                    for place in 0..<min(64, Chunk.rowCount &- start) {
                        found |= (holds(values[start &+ place]) ? 1 : 0) &<< UInt64(truncatingIfNeeded: place)
                    }
                    found &= asked
                }
                mask[word] = found
            }
        }
    }
}

/// A test of rows one by one, for what no plain column holds.
struct SlotTest: RowTest {
    let holds: @Sendable (ChunkColumns, Int) -> Bool

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        var found = RowMask.none
        mask.forEachSlot { slot in
            if holds(chunk.columns, slot) { found.insert(slot) }
        }
        mask = found
    }
}
