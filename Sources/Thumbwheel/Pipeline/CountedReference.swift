/// A reference that can be asked whether others hold its object too, while other threads take the object from it.
///
/// `isKnownUniquelyReferenced` wants exclusive access to a variable, which no thread has where others read. Here the variable
/// is a local one, made for the question from the reference that `init` took.
///
/// Unchecked, because `reference` is never written after `init`.
struct CountedReference<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
    private let reference: Unmanaged<Object>?

    init(_ object: Object?) {
        reference = object.map { .passRetained($0) }
    }

    deinit {
        reference?.release()
    }

    var object: Object? { reference?.takeUnretainedValue() }

    /// Whether anybody but this value holds the object; false where there is none.
    var isShared: Bool {
        guard let reference else { return false }
        // The value's own reference, lent to a variable: no count goes up before the question is answered.
        var lent = reference.takeRetainedValue()
        let isUnique = isKnownUniquelyReferenced(&lent)
        _ = Unmanaged.passRetained(lent)
        return !isUnique
    }
}
