import Foundation

extension PredicateExpressions.SequenceContains: ConditionNode {
    /// Converts `[a, b].contains(key)`. The sequence may have any type, but must be a captured value.
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        let element = try reading.term(self.element)
        guard let values = sequence as? any LiteralListNode else { throw ConditionReading<Key>.notUnderstood(sequence) }
        return .isIn(element, try values.literals())
    }
}

private protocol LiteralListNode {
    func literals() throws(FetchPredicateError) -> [Literal]
}

extension PredicateExpressions.Value: LiteralListNode {
    fileprivate func literals() throws(FetchPredicateError) -> [Literal] {
        guard let sequence = value as? any Sequence else {
            throw FetchPredicateError.unsupportedExpression("contains of a \(Output.self)")
        }
        var literals: [Literal] = []
        for element in sequence.anyElements {
            guard let literal = Literal(element) else {
                throw FetchPredicateError.unsupportedExpression("a value of type \(type(of: element))")
            }
            literals.append(literal)
        }
        return literals
    }
}

extension Sequence {
    fileprivate var anyElements: [Any] { map { $0 } }
}

extension PredicateExpressions.RangeExpressionContains: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        let element = try reading.term(self.element)
        guard let bounds = try (range as? any BoundsNode)?.bounds(reading) else {
            throw ConditionReading<Key>.notUnderstood(range)
        }
        return .and(
            .compare(element, .greaterOrEqual, bounds.lower), .compare(element, bounds.relation, bounds.upper))
    }
}

private protocol BoundsNode {
    func bounds<Key>(
        _ reading: ConditionReading<Key>
    ) throws(FetchPredicateError) -> (lower: Term<Key>, relation: Relation, upper: Term<Key>)
}

extension PredicateExpressions.Range: BoundsNode {
    fileprivate func bounds<Key>(
        _ reading: ConditionReading<Key>
    ) throws(FetchPredicateError) -> (lower: Term<Key>, relation: Relation, upper: Term<Key>) {
        (try reading.term(lower), .less, try reading.term(upper))
    }
}

extension PredicateExpressions.ClosedRange: BoundsNode {
    fileprivate func bounds<Key>(
        _ reading: ConditionReading<Key>
    ) throws(FetchPredicateError) -> (lower: Term<Key>, relation: Relation, upper: Term<Key>) {
        (try reading.term(lower), .lessOrEqual, try reading.term(upper))
    }
}

extension PredicateExpressions.Value: BoundsNode {
    fileprivate func bounds<Key>(
        _ reading: ConditionReading<Key>
    ) throws(FetchPredicateError) -> (lower: Term<Key>, relation: Relation, upper: Term<Key>) {
        guard let range = value as? any RangeValue, let lower = Literal(range.lowest),
            let upper = Literal(range.highest)
        else { throw ConditionReading<Key>.notUnderstood(self) }
        return (.literal(lower), range.upperRelation, .literal(upper))
    }
}

private protocol RangeValue {
    var lowest: Any { get }
    var highest: Any { get }
    var upperRelation: Relation { get }
}

extension Range: RangeValue {
    fileprivate var lowest: Any { lowerBound }
    fileprivate var highest: Any { upperBound }
    fileprivate var upperRelation: Relation { .less }
}

extension ClosedRange: RangeValue {
    fileprivate var lowest: Any { lowerBound }
    fileprivate var highest: Any { upperBound }
    fileprivate var upperRelation: Relation { .lessOrEqual }
}

extension PredicateExpressions.CollectionContainsCollection: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        try reading.textCondition(base, .anywhere, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        try reading.textCondition(base, .beginning, prefix)
    }
}

extension ConditionReading {
    fileprivate func textCondition(
        _ text: any PredicateExpression, _ place: TextMatch.Place, _ wanted: any PredicateExpression
    ) throws(FetchPredicateError) -> Condition<Key> {
        guard let wanted = try literal(wanted).text else { throw Self.notUnderstood(wanted) }
        return .text(try term(text), TextMatch(place, wanted))
    }
}
