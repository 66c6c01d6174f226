import Thumbwheel

/// A promise that the library did not keep.
package struct SoakFailure: Error, Sendable, Equatable {
    package enum Rule: String, Sendable {
        case picture = "a picture that is not the asset's"
        case resultAfterEnd = "a result after the end of its request"
        case lostEnd = "a request that does not end"
        case wrongEnd = "an end that the request cannot have"
        case refusal = "a transaction that should, or should not, be refused"
        case contents = "contents that are not those of the model"
        case observer = "a change that is told wrongly, or not at all"
        case leak = "an object that outlives its use"
        case history = "a history that is not the model's"
        case version = "a version that names two pictures"
        case file = "a library that cannot be saved or loaded"
        case table = "a table that is not empty at rest"
        case memory = "memory that grows"
        case stuck = "a step that does not end"
    }

    package let rule: Rule
    package let expected: String
    package let seen: String

    package init(_ rule: Rule, expected: String, seen: String) {
        self.rule = rule
        self.expected = expected
        self.seen = seen
    }
}

/// Where any thread notes a broken promise. The first one stays.
package final class Complaints: Sendable {
    private let state = Mutex<SoakFailure?>(nil)

    package init() {}

    package var first: SoakFailure? { state.withLock { $0 } }

    package func note(_ rule: SoakFailure.Rule, expected: String, seen: String) {
        state.withLock { first in
            if first == nil { first = SoakFailure(rule, expected: expected, seen: seen) }
        }
    }

    /// - Throws: the first complaint, if there is one.
    package func check() throws(SoakFailure) {
        if let first { throw first }
    }
}
