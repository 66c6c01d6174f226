/// What a predicate says, whoever wrote it: `#Predicate` and format strings are read into the same tree.
indirect enum Condition<Key: FetchKey>: Sendable, Hashable {
    case constant(Bool)
    case and(Condition, Condition)
    case or(Condition, Condition)
    case not(Condition)
    case flag(Key)
    case isAbsent(Key)
    case compare(Term<Key>, Relation, Term<Key>)
    case isIn(Term<Key>, [Literal])
    case text(Term<Key>, TextMatch)

    func negated(if isNegated: Bool) -> Condition { isNegated ? .not(self) : self }
}
