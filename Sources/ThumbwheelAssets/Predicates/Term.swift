/// One side of a comparison in a predicate.
indirect enum Term<Key: FetchKey>: Sendable, Hashable {
    case key(Key)
    case literal(Literal)
    /// The key's value or, if it is absent, a substitute value.
    case orElse(Key, Literal)
    case masked(Key, UInt64)
    case arithmetic(Term, Arithmetic, Term)
    case length(Key)

    /// A key that occurs in the term; nil if there is none.
    var someKey: Key? {
        switch self {
        case .key(let key), .orElse(let key, _), .masked(let key, _), .length(let key): key
        case .literal: nil
        case .arithmetic(let left, _, let right): left.someKey ?? right.someKey
        }
    }
}
