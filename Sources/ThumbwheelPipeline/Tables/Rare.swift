/// An optional value that few rows of a table have. It takes one word in every row. A row that has the value also needs
/// an allocation.
struct Rare<Value: Sendable>: Sendable {
    /// An array that is empty or has the value as its only element. A copy of the row that contains this property
    /// shares the array. As long as there is no copy of the row, the array is changed in place.
    private var storage: [Value] = []

    init() {}

    init(_ value: Value) {
        storage = [value]
    }

    var isPresent: Bool { !storage.isEmpty }

    var value: Value? { storage.first }

    /// The value, to read or to change.
    ///
    /// - Precondition: there is a value.
    var present: Value {
        @inline(__always) _read { yield storage[0] }
        @inline(__always) _modify { yield &storage[0] }
    }

    /// Changes the value in place.
    ///
    /// - Parameter initial: the value that is stored and changed if there is none yet.
    mutating func change(from initial: @autoclosure () -> Value, _ body: (inout Value) -> Void) {
        if storage.isEmpty { storage = [initial()] }
        body(&storage[0])
    }

    mutating func remove() {
        storage = []
    }
}
