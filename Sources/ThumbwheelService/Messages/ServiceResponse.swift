import Foundation

/// A response: status, header fields, body. `Content-Length` and `Date` are left to the server, which knows how it sends.
public struct ServiceResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var fields: HTTPFields
    /// The body. For HEAD it is the body that GET would have, where that is known without work; the server leaves it out.
    public var body: ServiceBody
    /// Notes on how the response was made, for access logs.
    public internal(set) var notes = ServiceNotes()

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - fields: The header fields.
    ///   - body: The body.
    public init(status: Int, fields: HTTPFields = HTTPFields(), body: ServiceBody = .none) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// The refusal of a request whose target has a NUL, which a server in C does not hand over.
    package static var malformed: ServiceResponse { ServiceError.malformed.response }

    /// The refusal of a request for whose body a server has no room.
    package static var busy: ServiceResponse { ServiceError.busy(retryAfter: 1).response }

    /// Makes a response from text.
    init(status: Int = 200, type: String, text: String, cacheControl: String = "no-store") {
        self.init(
            status: status, fields: ["content-type": type, "cache-control": cacheControl],
            body: .bytes(Array(text.utf8)))
    }

    /// Makes a response from a value, as JSON on one line.
    init(status: Int = 200, json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(value)) ?? Data("null".utf8)
        self.init(
            status: status, fields: ["content-type": "application/json", "cache-control": "no-store"],
            body: .bytes(Array(data) + [0x0A]))
    }
}
