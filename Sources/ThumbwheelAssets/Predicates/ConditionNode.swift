/// A node that is true or false.
protocol ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key>
}
