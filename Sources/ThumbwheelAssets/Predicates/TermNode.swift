/// A node of a predicate's expression tree whose value is an operand of a comparison or a calculation.
protocol TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key>
}
