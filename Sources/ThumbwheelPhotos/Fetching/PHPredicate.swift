import Thumbwheel

/// A condition as a format text, which `NSPredicate` is on Apple's systems.
///
/// A text that cannot be read, or that names a property that cannot be asked for, ends the process when a fetch uses it, as
/// PhotoKit's exception does. Texts from users are to be tried with `AssetPredicate` first.
public final class PHPredicate: Sendable {
    let format: PredicateFormat

    /// - Parameters:
    ///   - format: the text, such as `mediaType == %d AND isFavorite == YES`.
    ///   - arguments: the values of its placeholders.
    public init(format: String, _ arguments: any Sendable...) {
        self.format = PredicateFormat(format, arguments: arguments)
    }

    /// Makes a predicate from a text and a list of the values of its placeholders.
    public init(format: String, argumentArray arguments: [any Sendable]?) {
        self.format = PredicateFormat(format, arguments: arguments ?? [])
    }
}
