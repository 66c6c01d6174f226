/// The names by which browsers may reach a service that asks for no token.
///
/// Any web site can have its own name lead to the service (DNS rebinding): browsers then take its page and the service for one
/// site, and let the page read everything. Such a page's requests are known by `Host`, which has the site's name. Addresses in
/// digits cannot be made to lead elsewhere, and some names are never found in the public DNS: those without a dot, as
/// containers and machines at home have, and those below a few domains that are reserved for it.
struct HostNames: Sendable {
    /// RFC 6761, RFC 6762, RFC 8375, and ICANN's resolution 2024.07.29.06.
    private static let privateDomains = [".localhost", ".local", ".home.arpa", ".internal"]

    private let names: Set<String>

    /// - Parameter names: Further names, without ports.
    init(_ names: [String]) { self.names = Set(names.map(Self.canonical)) }

    /// Whether a request may come by the name in its `Host`.
    ///
    /// - Parameter field: The name or the address, perhaps with a port. Browsers always send one, so a request without it
    ///   is not a page's.
    func contain(_ field: String?) -> Bool {
        guard let field, field.utf8.first != UInt8(ascii: "[") else { return true }
        let name = Self.canonical(String(field.prefix { $0 != ":" }))
        guard let dot = name.lastIndex(of: ".") else { return true }
        // No domain is a number, so a name that ends in one is an address of version 4.
        return Int(name[name.index(after: dot)...]) != nil || names.contains(name)
            || Self.privateDomains.contains { name.hasSuffix($0) }
    }

    /// A name in the form in which names are compared: without case and without the dot of the root.
    private static func canonical(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
