/// The target of a request, taken apart strictly: what is not plainly one of the service's own addresses is refused before
/// anything is looked up.
struct ServiceTarget {
    /// The longest target in bytes.
    static let byteLimit = 2048

    /// The path's segments; `/` has none.
    let segments: [Substring]
    /// The path as it was sent.
    let path: String
    /// The parameters, decoded; none is there twice.
    let query: [String: String]

    /// - Throws: `.malformed` for dots as segments, empty segments, percent signs and all characters that no address of the
    ///   service has; `.longTarget`.
    init(_ target: String) throws(ServiceError) {
        guard target.utf8.count <= Self.byteLimit else { throw .longTarget }
        let target = Self.originForm(target)
        // Bytes are compared instead of characters, because this is done for each request.
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let path = target[..<end]
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy(Self.isPlain) else { throw .malformed }
        let segments =
            path.utf8.count == 1
            ? []
            : path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { Substring($0) }
        guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { throw .malformed }
        self.segments = segments
        self.path = String(path)
        query = end < target.endIndex ? try Self.parameters(target[end...].dropFirst()) : [:]
    }

    /// A server must take `http://host/path`, too (RFC 9112, section 3.2.2).
    private static func originForm(_ target: String) -> Substring {
        guard target.utf8.first != UInt8(ascii: "/") else { return target[...] }
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        return target[...]
    }

    /// The parameters of signed addresses.
    static let signatureParameters: Set<String> = ["tenant", "expires", "signature"]

    /// Refuses parameters that the address does not have, since proxies and browsers would keep a copy for each.
    ///
    /// - Parameter isSigned: Whether the address is signed, and so has the parameters of signed ones.
    func requireParameters(among names: Set<String>, isSigned: Bool = false) throws(ServiceError) {
        let isKnown = query.keys.allSatisfy { names.contains($0) || isSigned && Self.signatureParameters.contains($0) }
        guard isKnown else { throw .parameter }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static func parameters(_ text: Substring) throws(ServiceError) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try decoded(parts[0])
            let value = parts.count == 2 ? try decoded(parts[1]) : ""
            guard parameters.updateValue(value, forKey: name) == nil else { throw .parameter }
        }
        return parameters
    }

    /// Decodes percent signs. Control characters, bytes that are no UTF-8 and signs without two digits are refused.
    private static func decoded(_ text: Substring) throws(ServiceError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { throw .malformed }
            bytes.append(high << 4 | low)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let decoded = String(validating: bytes, as: UTF8.self)
        else { throw .malformed }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
