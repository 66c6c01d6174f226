/// A reference that can tell whether others hold its object too, even while other threads read `object`.
///
/// Swift's function for that, `isKnownUniquelyReferenced`, needs exclusive access to the variable that it examines. A
/// variable that other threads read cannot be given to it. Therefore `isShared` moves the reference into a local
/// variable, and gives it that variable.
///
/// The type is unchecked `Sendable`, which is safe because `reference` is never written after `init`.
struct CountedReference<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
    private let reference: Unmanaged<Object>?

    init(_ object: Object?) {
        reference = object.map { .passRetained($0) }
    }

    deinit {
        reference?.release()
    }

    var object: Object? { reference?.takeUnretainedValue() }

    /// Whether anything else holds the object; false if there is no object.
    var isShared: Bool {
        guard let reference else { return false }
        // Moves the reference that `init` retained into a local variable, and moves it back by `passRetained`. A copy
        // of the reference would not do: it would retain the object once more, and every object would look shared.
        var lent = reference.takeRetainedValue()
        let isUnique = isKnownUniquelyReferenced(&lent)
        _ = Unmanaged.passRetained(lent)
        return !isUnique
    }
}
