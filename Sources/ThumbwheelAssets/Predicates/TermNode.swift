/// A node of a predicate's expression tree that has a value.
protocol TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key>
}
