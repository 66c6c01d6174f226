/// A node of a predicate's expression tree whose value is true or false.
protocol ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key>
}
