/// A reference that can tell whether others hold its object too, even while other threads read `object`.
///
/// Swift's function for that, `isKnownUniquelyReferenced`, needs exclusive access to the variable that it examines. A
/// variable that other threads read cannot be given to it. Therefore `isShared` copies the reference into a local
/// variable, without retaining the object, and examines that variable.
///
/// The type is unchecked `Sendable`, which is safe because `reference` is a constant, and counts of references are
/// atomic.
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
        // For the check, the local variable takes over the retain that `init` made. `passRetained` gives it back
        // afterwards. An ordinary copy of the reference would retain the object once more, and every object would look
        // shared.
        var lent = reference.takeRetainedValue()
        let isUnique = isKnownUniquelyReferenced(&lent)
        _ = Unmanaged.passRetained(lent)
        return !isUnique
    }
}
