import Foundation

extension PredicateExpressions.Conjunction: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        .and(try reading.condition(lhs), try reading.condition(rhs))
    }
}

extension PredicateExpressions.Disjunction: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        .or(try reading.condition(lhs), try reading.condition(rhs))
    }
}

extension PredicateExpressions.Negation: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        .not(try reading.condition(wrapped))
    }
}

extension PredicateExpressions.Conditional: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        let test = try reading.condition(self.test)
        return .or(
            .and(test, try reading.condition(trueBranch)), .and(.not(test), try reading.condition(falseBranch)))
    }
}

extension PredicateExpressions.Equal: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        try reading.comparison(lhs, .equal, rhs)
    }
}

extension PredicateExpressions.NotEqual: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        .not(try reading.comparison(lhs, .equal, rhs))
    }
}

extension PredicateExpressions.Comparison: ConditionNode {
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        let relation: Relation =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw FetchPredicateError.unsupportedExpression("\(op)")
            }
        return try reading.comparison(lhs, relation, rhs)
    }
}

extension ConditionReading {
    fileprivate func comparison(
        _ left: any PredicateExpression, _ relation: Relation, _ right: any PredicateExpression
    ) throws(FetchPredicateError) -> Condition<Key> {
        // The left side may itself be a condition that is compared with true or false, such as `flatMap { … } == true`.
        if relation == .equal, let left = left as? any ConditionNode, let flag = try? literal(right), case .flag = flag
        {
            return try left.condition(self).negated(if: flag == .flag(false))
        }
        let (left, right) = (try term(left), try term(right))
        if relation == .equal {
            if case .literal(.absent) = right, let key = left.someKey { return .isAbsent(key) }
            if case .literal(.absent) = left, let key = right.someKey { return .isAbsent(key) }
        }
        return .compare(left, relation, right)
    }
}

extension PredicateExpressions.NilCoalesce: ConditionNode, TermNode {
    /// Converts a `??` to a condition. Two forms are accepted:
    ///
    /// - `key ?? true` or `key ?? false`, for a property whose value is an optional Bool.
    /// - A flat map followed by `??`. The macro `#Predicate` makes this form from `if let x = key { … } else { … }`.
    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        guard let mapped = lhs as? any FlatMapNode else {
            guard case .orElse(let key, .flag(let flag)) = try term(reading) else {
                throw ConditionReading<Key>.notUnderstood(self)
            }
            return flag ? .or(.flag(key), .isAbsent(key)) : .flag(key)
        }
        let (present, key) = try mapped.presentCondition(reading)
        return .or(present, .and(.isAbsent(key), try reading.condition(rhs)))
    }

    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        .orElse(try reading.key(lhs), try reading.literal(rhs))
    }
}

/// A node that applies a condition to the value of an optional property. The macro `#Predicate` makes such a node from
/// `if let x = key { … } else { … }`, inside a `??` whose right side is the part after `else`.
private protocol FlatMapNode {
    func presentCondition<Key>(
        _ reading: ConditionReading<Key>
    ) throws(FetchPredicateError) -> (condition: Condition<Key>, key: Key)
}

extension PredicateExpressions.OptionalFlatMap: FlatMapNode, ConditionNode {
    fileprivate func presentCondition<Key>(
        _ reading: ConditionReading<Key>
    ) throws(FetchPredicateError) -> (condition: Condition<Key>, key: Key) {
        let key = try reading.key(wrapped)
        let condition = try reading.binding(variable.key, to: key).condition(transform)
        return (.and(.not(.isAbsent(key)), condition), key)
    }

    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        try presentCondition(reading).condition
    }
}
