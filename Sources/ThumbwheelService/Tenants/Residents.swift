import ThumbwheelCore

/// The tenants of a service, found by tokens or by signed addresses.
struct Residents: Sendable {
    let all: [Resident]
    /// Tenants by the codes of their tokens. Tokens themselves are not kept, and a look-up by code takes no time that tells how much
    /// of a token was right.
    private let byCode: [[UInt8]: Int]
    private let byName: [String: Int]
    private let secret: ServiceSecret
    /// Whether there is only one tenant, and it needs no token.
    let isOpen: Bool

    init(_ tenants: [ServiceTenant], _ secret: ServiceSecret, roots: [String], missing: MissingPlaceholders) {
        self.secret = secret.derived(for: "tokens")
        let shared = roots.isEmpty ? nil : FolderRoots(roots)
        let seen = TenantNumbers(tenantCount: tenants.count)
        let insiders = TenantNumbers(tenantCount: tenants.count)
        var placeCount = 0
        all = tenants.enumerated().map { index, tenant in
            let folders = (tenant.roots ?? roots).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
            let places = placeCount..<placeCount + folders.count + 1
            placeCount = places.upperBound
            return Resident(
                tenant: tenant, index: index, names: AssetNames(secret.derived(for: "tenant " + tenant.name)),
                roots: tenant.roots.map { $0.isEmpty ? nil : FolderRoots($0) } ?? shared,
                folders: folders, folderPlaces: places, insiders: KnownInsiders(numbers: insiders, tenant: index),
                seen: tenants.count == 1 ? nil : SeenPictures(seen, of: index), missing: missing)
        }
        isOpen = tenants.count == 1 && tenants[0].tokens.isEmpty
        var byCode: [[UInt8]: Int] = [:]
        for (index, tenant) in tenants.enumerated() {
            for token in tenant.tokens { byCode[self.secret.code(of: token)] = index }
        }
        self.byCode = byCode
        byName = Dictionary(tenants.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func named(_ name: String) -> Resident? { byName[name].map { all[$0] } }

    /// Returns the tenant with a token; nil if no tenant has it.
    func withToken(_ token: String) -> Resident? { byCode[secret.code(of: token)].map { all[$0] } }

    /// Returns the tenant of a request: the only one, if it needs no token, or the one that `Authorization` or the cookie
    /// `thumbwheel` names.
    func of(_ request: ServiceRequest) -> Resident? {
        if isOpen { return all[0] }
        if let token = request.bearerToken { return withToken(token) }
        let cookies = (request.fields["cookie"] ?? "").split(separator: ";").prefix(64)
        let prefix = "thumbwheel="
        guard let cookie = cookies.map({ $0.drop { $0 == " " } }).first(where: { $0.hasPrefix(prefix) }) else {
            return nil
        }
        return withToken(String(cookie.dropFirst(prefix.count)))
    }
}
