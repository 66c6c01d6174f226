/// The preconditions of a request (RFC 9110, section 13), asked in the order of section 13.2.2.
struct Conditions {
    /// The ways in which a server answers a request with preconditions.
    enum Outcome: Equatable {
        /// It sends the representation.
        case send
        /// It says that the client has the representation.
        case notModified
        /// It says that a precondition is not met.
        case failed
    }

    private let fields: HTTPFields

    init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// - Parameters:
    ///   - tag: The strong entity tag, with its quotation marks.
    ///   - modified: The date of the last change, in seconds since 1970; nil if it is not known.
    func outcome(_ tag: String, modified: Int? = nil) -> Outcome {
        if let list = fields.list("if-match") {
            guard Self.names(list, tag, isWeak: false) else { return .failed }
        } else if let modified, let since = fields["if-unmodified-since"].flatMap(HTTPDate.seconds), modified > since {
            return .failed
        }
        if let list = fields.list("if-none-match") {
            return Self.names(list, tag, isWeak: true) ? .notModified : .send
        }
        if let modified, let since = fields["if-modified-since"].flatMap(HTTPDate.seconds), modified <= since {
            return .notModified
        }
        return .send
    }

    /// Whether a `Range` holds: without `If-Range` always, and with it if tag or date are the representation's own.
    func allowsRange(_ tag: String, modified: Int?) -> Bool {
        guard let condition = fields["if-range"] else { return true }
        if condition.hasPrefix("\"") { return condition == tag }
        return modified != nil && HTTPDate.seconds(condition) == modified
    }

    /// Whether a list of entity tags names one. Weak tags match only where weak comparison is allowed.
    private static func names(_ list: String, _ tag: String, isWeak: Bool) -> Bool {
        list.split(separator: ",").prefix(256).contains { element in
            let element = element.trimmed
            if element == "*" || element == tag { return true }
            return isWeak && element == "W/" + tag
        }
    }
}

extension Substring {
    /// The text without the white space that HTTP allows around the elements of a list (RFC 9110, section 5.6.3).
    fileprivate var trimmed: Substring {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let first = utf8.firstIndex { !isSpace($0) } ?? endIndex
        let last = utf8.lastIndex { !isSpace($0) }.map(utf8.index(after:)) ?? first
        return self[first..<last]
    }
}
