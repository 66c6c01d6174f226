enum Relation: Sendable, Hashable {
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual

    /// The relation with its two sides exchanged. For example, `<` becomes `>`, because `a < b` means `b > a`.
    var mirrored: Relation {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual: self
        }
    }

    @inline(__always)
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .equal: left == right
        case .notEqual: left != right
        }
    }
}
