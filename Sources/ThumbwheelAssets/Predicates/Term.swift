/// One side of a comparison in a predicate.
indirect enum Term<Key: FetchKey>: Sendable, Hashable {
    case key(Key)
    case literal(Literal)
    /// The value of the key (a property of the objects) or, if the object has no such value, this constant.
    case orElse(Key, Literal)
    case masked(Key, UInt64)
    case arithmetic(Term, Arithmetic, Term)
    case length(Key)

    /// One of the keys (properties of the objects) in the term; nil if the term contains none.
    var someKey: Key? {
        switch self {
        case .key(let key), .orElse(let key, _), .masked(let key, _), .length(let key): key
        case .literal: nil
        case .arithmetic(let left, _, let right): left.someKey ?? right.someKey
        }
    }
}
