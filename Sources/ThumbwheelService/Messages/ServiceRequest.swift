/// A request as it came over HTTP, without the socket that it came by.
public struct ServiceRequest: Sendable {
    /// The method, as sent: methods are told apart by case.
    public var method: String
    /// The target of the request line: path and query, with percent signs not yet decoded.
    public var target: String
    /// The header fields.
    public var fields: HTTPFields
    /// The body; empty for most requests.
    public var body: [UInt8]
    /// Says whether the client has left; nil where nobody knows. It is asked once before a picture is made, on the thread that the
    /// request came by or on another one, and must not wait. A client that leaves later cancels the answer that it waits for.
    public var hasLeft: (@Sendable () -> Bool)?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: Path and query, not decoded.
    ///   - fields: The header fields.
    ///   - body: The body.
    public init(method: String = "GET", target: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        (self.method, self.target, self.fields, self.body) = (method, target, fields, body)
    }

    /// The token that `Authorization` carries (RFC 6750, section 2.1); nil if there is none.
    var bearerToken: String? {
        guard let field = fields["authorization"], field.lowercased().hasPrefix("bearer ") else { return nil }
        return String(field.dropFirst(7))
    }

    /// Whether the answer has a head and no body.
    var isHead: Bool { method == "HEAD" }
}
