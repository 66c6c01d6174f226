import Foundation

extension PredicateExpressions.Value: TermNode, ConditionNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        guard let literal = Literal(value) else {
            throw FetchPredicateError.unsupportedExpression("a value of type \(Output.self)")
        }
        return .literal(literal)
    }

    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        guard case .literal(.flag(let flag)) = try term(reading) else {
            throw ConditionReading<Key>.notUnderstood(self)
        }
        return .constant(flag)
    }
}

extension PredicateExpressions.NilLiteral: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> { .literal(.absent) }
}

extension PredicateExpressions.Variable: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        guard let key = reading.bound[self.key] else {
            throw FetchPredicateError.unsupportedExpression("the object itself; compare its localIdentifier")
        }
        return .key(key)
    }
}

extension PredicateExpressions.ForcedUnwrap: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        try reading.term(inner)
    }
}

/// A node that stands for the object that the predicate tests (the predicate's variable), or for a property that is
/// reached from that object by a key path.
private protocol PathNode {
    /// Returns the key path from the tested object to this node; nil if the node is the object itself.
    func path() throws(FetchPredicateError) -> AnyKeyPath?
    var variable: PredicateExpressions.VariableID? { get }
}

extension PredicateExpressions.Variable: PathNode {
    fileprivate func path() -> AnyKeyPath? { nil }
    fileprivate var variable: PredicateExpressions.VariableID? { key }
}

extension PredicateExpressions.KeyPath: PathNode, TermNode, ConditionNode {
    fileprivate func path() throws(FetchPredicateError) -> AnyKeyPath? {
        guard let root = root as? any PathNode else {
            throw FetchPredicateError.unsupportedExpression("a property of \(String(describing: type(of: self.root)))")
        }
        guard let start = try root.path() else { return keyPath }
        guard let whole = start.appending(path: keyPath) else {
            throw FetchPredicateError.unsupportedExpression("\(keyPath)")
        }
        return whole
    }

    fileprivate var variable: PredicateExpressions.VariableID? { (root as? any PathNode)?.variable }

    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        if let textual = root as? any TermNode,
            !(root is any PathNode) || variable.map({ reading.bound[$0] != nil }) == true
        {
            return try attribute(of: textual.term(reading))
        }
        guard let path = try path() else { throw ConditionReading<Key>.notUnderstood(self) }
        if let key = Key.key(for: path) { return .key(key) }
        // The last part of the key path may be a property of another property's value, such as `count` in
        // `originalFilename.count`.
        if let inner = root as? any PathNode, let innerPath = try inner.path(), let key = Key.key(for: innerPath) {
            return try attribute(of: .key(key))
        }
        if let inner = root as? any PathNode, let innerPath = try inner.path(),
            let name = Key.unsupportedKeyName(for: innerPath)
        {
            throw FetchPredicateError.unsupportedKey(name)
        }
        throw FetchPredicateError.unsupportedKey(Key.unsupportedKeyName(for: path) ?? Self.name(of: path))
    }

    private func attribute<Key>(of term: Term<Key>) throws(FetchPredicateError) -> Term<Key> {
        guard case .key(let key) = term else { throw ConditionReading<Key>.notUnderstood(self) }
        let path = keyPath as AnyKeyPath
        if path == \String.count { return .length(key) }
        // A property of one of the three types below needs no conversion to its raw value, because the columns contain
        // raw values. So `mediaType.rawValue`, for example, is the same term as `mediaType`.
        if path == \AssetMediaType.rawValue || path == \AssetMediaSubtype.rawValue || path == \AssetSourceType.rawValue
        {
            return term
        }
        throw FetchPredicateError.unsupportedKey("\(key.rawValue).\(Self.name(of: path))")
    }

    private static func name(of path: AnyKeyPath) -> String {
        let text = String(describing: path)
        guard let dot = text.firstIndex(of: ".") else { return text }
        return String(text[text.index(after: dot)...])
    }

    func condition<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Condition<Key> {
        if keyPath as AnyKeyPath == \String.isEmpty, let inner = root as? any TermNode {
            guard case .key(let key) = try inner.term(reading) else { throw ConditionReading<Key>.notUnderstood(self) }
            return .compare(.length(key), .equal, .literal(.integer(0)))
        }
        guard case .key(let key) = try term(reading) else { throw ConditionReading<Key>.notUnderstood(self) }
        guard key.kind == .flag else {
            throw FetchPredicateError.unsupportedComparison(key: key.rawValue, reason: "is neither true nor false")
        }
        return .flag(key)
    }
}

extension PredicateExpressions.Arithmetic: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        let operation: Arithmetic =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw FetchPredicateError.unsupportedExpression("\(op)")
            }
        return .arithmetic(try reading.term(lhs), operation, try reading.term(rhs))
    }
}

extension PredicateExpressions.FloatDivision: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        .arithmetic(try reading.term(lhs), .divide, try reading.term(rhs))
    }
}

extension PredicateExpressions.IntDivision: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        .arithmetic(try reading.term(lhs), .divideWhole, try reading.term(rhs))
    }
}

extension PredicateExpressions.IntRemainder: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        .arithmetic(try reading.term(lhs), .remainder, try reading.term(rhs))
    }
}

extension PredicateExpressions.UnaryMinus: TermNode {
    func term<Key>(_ reading: ConditionReading<Key>) throws(FetchPredicateError) -> Term<Key> {
        switch try reading.term(wrapped) {
        case .literal(.integer(let integer)): .literal(.integer(0 &- integer))
        case .literal(.number(let number)): .literal(.number(-number))
        case let term: .arithmetic(.literal(.integer(0)), .subtract, term)
        }
    }
}
