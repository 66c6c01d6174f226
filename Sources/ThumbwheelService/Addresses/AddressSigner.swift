import Foundation

/// Signs addresses, and checks signatures. A signed address is a permission: who has it needs no token, and gets the very size
/// that it names.
struct AddressSigner: Sendable {
    private let secret: ServiceSecret

    /// - Parameter secret: The service's secret.
    init(_ secret: ServiceSecret) {
        self.secret = secret.derived(for: "signatures")
    }

    /// Returns an address with `tenant`, `expires` and `signature` added.
    ///
    /// - Parameter expiry: In seconds since 1970.
    func signed(_ path: String, _ query: [String: String], tenant: String, expiry: Int) -> String {
        var query = query
        (query["tenant"], query["expires"]) = (tenant, "\(expiry)")
        query["signature"] = Base64URL.text(secret.code(of: Self.text(path, query)))
        let pairs = query.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
        return path + "?" + pairs.joined(separator: "&")
    }

    /// Whether the signature of an address is its own and has not expired.
    func isValid(_ target: ServiceTarget, at now: Int) -> Bool {
        guard let given = target.query["signature"].flatMap({ Base64URL.bytes($0) }) else { return false }
        // The signature is compared first: the time that it takes must not tell which part was wrong.
        let isEqual = ServiceSecret.areEqual(given, secret.code(of: Self.text(target.path, target.query)))
        guard isEqual, let expiry = target.query["expires"].flatMap({ Int($0) }) else { return false }
        return expiry >= now
    }

    /// The text that is signed. Lengths stand before its parts, so that no two addresses have the same.
    private static func text(_ path: String, _ query: [String: String]) -> String {
        let parameters = query.filter { $0.key != "signature" }.sorted { $0.key < $1.key }
        return ([path] + parameters.flatMap { [$0.key, $0.value] }).map { "\($0.utf8.count):\($0)" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~,")))
            ?? ""
    }
}
