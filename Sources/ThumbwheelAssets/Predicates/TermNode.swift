/// A node of a predicate's expression tree whose value is compared or calculated with.
protocol TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key>
}
