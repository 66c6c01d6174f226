/// One side of a comparison.
indirect enum Term<Key: FetchKey>: Sendable, Hashable {
    case key(Key)
    case literal(Literal)
    /// The key's value, or, where it has none, another.
    case orElse(Key, Literal)
    case masked(Key, UInt64)
    case arithmetic(Term, Arithmetic, Term)
    case length(Key)

    /// A key of the term, for messages.
    var someKey: Key? {
        switch self {
        case .key(let key), .orElse(let key, _), .masked(let key, _), .length(let key): key
        case .literal: nil
        case .arithmetic(let left, _, let right): left.someKey ?? right.someKey
        }
    }
}
