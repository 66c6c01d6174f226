/// A value that few rows of a table have: it takes one word of the row, and an allocation only where it is there.
struct Rare<Value: Sendable>: Sendable {
    /// Empty, or the value alone: an array is changed in place, and copied where a copy of the row has it too.
    private var storage: [Value] = []

    init() {}

    init(_ value: Value) {
        storage = [value]
    }

    var isPresent: Bool { !storage.isEmpty }

    var value: Value? { storage.first }

    /// - Precondition: the value is there.
    var present: Value {
        @inline(__always) _read { yield storage[0] }
        @inline(__always) _modify { yield &storage[0] }
    }

    /// - Parameter initial: what is changed if there is no value yet.
    mutating func change(from initial: @autoclosure () -> Value, _ body: (inout Value) -> Void) {
        if storage.isEmpty { storage = [initial()] }
        body(&storage[0])
    }

    mutating func remove() {
        storage = []
    }
}
