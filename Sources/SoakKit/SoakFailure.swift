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
