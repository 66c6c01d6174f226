/// A reference that can tell whether others hold its object too, even while other threads read `object`.
///
/// `isKnownUniquelyReferenced` needs exclusive access to a variable, and no thread has that while others read the
/// variable. `isShared` asks about a local variable instead, made from the reference that `init` retained.
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
        // Moves the reference that `init` retained into a local variable, and back below. Another retain would make
        // every object look shared.
        var lent = reference.takeRetainedValue()
        let isUnique = isKnownUniquelyReferenced(&lent)
        _ = Unmanaged.passRetained(lent)
        return !isUnique
    }
}
