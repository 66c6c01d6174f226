/// The header fields of a request or a response, in their order. Names are compared without regard to case.
public struct HTTPFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Equatable {
        /// The name, in lower case.
        public let name: String
        /// The value, without white space around it.
        public let value: String
    }

    /// The fields, in the order in which they were added.
    public private(set) var fields: [Field] = []

    /// Makes an empty list.
    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// Adds a field behind all others.
    ///
    /// - Parameters:
    ///   - name: The name, in upper or lower case.
    ///   - value: The value.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name.lowercased(), value: value))
    }

    /// The first value of a field. Setting it replaces all values; nil removes them.
    public subscript(_ name: String) -> String? {
        get {
            let name = name.lowercased()
            return fields.first { $0.name == name }?.value
        }
        set {
            let lowercased = name.lowercased()
            fields.removeAll { $0.name == lowercased }
            if let newValue { add(lowercased, newValue) }
        }
    }

    /// Returns all values of a field that is a list (RFC 9110, section 5.3), joined by commas; nil if there is none.
    public func list(_ name: String) -> String? {
        let name = name.lowercased()
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The bytes of all names and values together.
    var byteCount: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}
