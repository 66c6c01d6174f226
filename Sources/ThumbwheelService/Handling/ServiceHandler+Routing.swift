import Foundation
import Thumbwheel

extension ServiceHandler {
    /// The most bytes that header fields may have together.
    private static let fieldByteLimit = 16 << 10
    /// The most bytes that a body may have: a recorded scroll of some minutes.
    static let bodyByteLimit = 4 << 20
    /// The most bytes that the body of a request to mark a favourite may have.
    static let favoriteByteLimit = 1 << 10

    /// The most bytes of a body that a request has a use for; 0 for that of a stranger. A server keeps no more of a body, and hands
    /// over one byte beyond for a body that is longer, which the handler then refuses.
    ///
    /// - Parameter request: The request, whose body has not come yet.
    public func bodyByteLimit(of request: ServiceRequest) -> Int {
        guard request.method == "POST", let target = try? ServiceTarget(request.target),
            (try? request.requireJSON()) != nil, residents.of(request) != nil
        else { return 0 }
        switch target.path {
        case "/api/favorite": return Self.favoriteByteLimit
        case "/api/trace": return configuration.traceHandler == nil ? 0 : Self.bodyByteLimit
        default: return 0
        }
    }

    func route(_ request: ServiceRequest, _ notes: inout ServiceNotes) throws(ServiceError) -> ServiceAnswer {
        guard request.fields.byteCount <= Self.fieldByteLimit else { throw .fields }
        guard request.body.count <= Self.bodyByteLimit else { throw .tooLarge }
        let target = try ServiceTarget(request.target)
        let first = target.segments.first
        switch (first, target.segments.count) {
        case ("a", 4):
            notes.route = .thumbnail
            try request.requireReading()
            return try thumbnail(request, target, &notes)
        case ("o", 3):
            notes.route = .original
            try request.requireReading()
            return try original(request, target, &notes)
        case ("api", 2) where target.segments[1] == "previews":
            try request.requireReading()
            return try previews(request, target, &notes)
        case ("api", 2):
            notes.route = .library
            return try library(request, target, &notes)
        case (nil, _):
            notes.route = .page
            try request.requireReading()
            return .ready(try page(request, target))
        case (_, 1):
            notes.route = .operations
            try request.requireReading()
            return .ready(try operations(request, first!))
        default: throw .notFound
        }
    }

    /// Returns the tenant of a request.
    func resident(of request: ServiceRequest, _ notes: inout ServiceNotes) throws(ServiceError) -> Resident {
        try checkHost(of: request)
        guard let resident = residents.of(request) else { throw .unauthorized }
        return note(resident, &notes)
    }

    /// Refuses a request that has come by a name that anybody could have led to the service. Tokens, and signatures, which are
    /// permissions of their own, are nothing that another site's page has.
    func checkHost(of request: ServiceRequest) throws(ServiceError) {
        guard !residents.isOpen || hosts.contain(request.fields["host"]) else { throw .host }
    }

    /// Returns the tenant of a request for a picture, which its signature or its token names.
    func resident(
        of request: ServiceRequest, _ target: ServiceTarget, _ notes: inout ServiceNotes
    ) throws(ServiceError) -> (resident: Resident, isSigned: Bool) {
        if target.query["signature"] != nil {
            guard let signer, signer.isValid(target, at: Int(now().timeIntervalSince1970)),
                let resident = residents.named(target.query["tenant"] ?? "")
            else { throw .signature }
            return (note(resident, &notes), true)
        }
        guard !configuration.requiresSignatures else { throw .signature }
        return (try resident(of: request, &notes), false)
    }

    private func note(_ resident: Resident, _ notes: inout ServiceNotes) -> Resident {
        notes.tenant = resident.tenant.name
        notes.tenantIndex = resident.index
        return resident
    }

    /// How long a file may be kept: for ever where its address is always answered, since the address names the version of the
    /// bytes, and at a signed address for as long as the signature is valid.
    func cacheControl(_ target: ServiceTarget, isPublic: Bool, isSigned: Bool) -> String {
        let scope = isPublic ? "public" : "private"
        guard isSigned, let expiry = target.query["expires"].flatMap({ Int($0) }) else {
            return scope + ", max-age=31536000, immutable"
        }
        return scope + ", max-age=\(max(0, min(31_536_000, expiry - Int(now().timeIntervalSince1970))))"
    }

    /// Refuses a tenant that has been sent as much as it may be sent today.
    func checkQuota(of resident: Resident) throws(ServiceError) {
        guard let seconds = quotas.secondsToWait(resident.index, at: now()) else { return }
        throw ServiceError(
            status: 429, name: "quotaExceeded", message: "no more can be sent today",
            fields: ["retry-after": "\(seconds)"])
    }
}

extension ServiceRequest {
    /// Checks that the request reads: by GET or HEAD, and without a body.
    func requireReading() throws(ServiceError) {
        guard method == "GET" || method == "HEAD" else { throw .method(allowing: "GET, HEAD") }
        guard body.isEmpty else { throw .body }
    }
}
