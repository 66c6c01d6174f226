/// Any JSON value, for documents of which only a few keys are known.
enum JSONValue: Decodable, Equatable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    /// Returns all values that are not objects, by the path of their keys.
    func leaves(path: String = "") -> [String: JSONValue] {
        guard case .object(let object) = self else { return [path: self] }
        return object.reduce(into: [:]) { leaves, entry in
            let key = path.isEmpty ? entry.key : path + "." + entry.key
            leaves.merge(entry.value.leaves(path: key)) { first, _ in first }
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as text for error messages.
    var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): value
        case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .object(let object): "{\(object.keys.sorted().joined(separator: ", "))}"
        }
    }
}
