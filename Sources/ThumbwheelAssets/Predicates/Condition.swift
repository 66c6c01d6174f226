/// The condition of a predicate as a tree. Both a `#Predicate` and a format string are converted to this form.
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
