import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelCore

/// Answers requests for a gallery and its pictures. It is a value without sockets: a request goes in; a status, a header and a
/// body come out, or the promise of them together with what cancels it.
///
/// `ThumbwheelServer` has a server for it. A host with an HTTP server of its own hands its requests to `answer(to:)` or
/// `response(to:)`.
public struct ServiceHandler: Sendable {
    /// The settings that the handler was made with.
    public let configuration: Configuration
    let manager: ImageManager
    let residents: Residents
    /// Checks and makes signatures; nil without a secret, since anybody could make signatures then.
    let signer: AddressSigner?
    /// The secret that the names of assets and the codes of tokens are made from.
    let keys: ServiceSecret
    let hosts: HostNames
    let admission: Admission
    let quotas: DailyQuotas
    let streams: StreamPlaces
    let metrics: ServiceMetrics
    let grids: GridCache
    /// Lists of whole libraries, one of each tenant at a time.
    let documents: TenantQueue
    /// Looks at files, some of each tenant's folder at a time.
    let files: TenantQueue
    let feeds: [ChangeFeed]
    let favorites: FavoriteOrders
    let costs: RenderCosts
    let readiness: Readiness
    let missing: MissingPlaceholders
    /// Calls a closure after so many milliseconds.
    var hold: @Sendable (Double, @escaping @Sendable () -> Void) -> Void = { milliseconds, body in
        DispatchQueue.global().asyncAfter(deadline: .now() + milliseconds / 1000, execute: body)
    }
    /// Looks whether all files of an asset lie in a tenant's folders at present.
    var isReallyInside: @Sendable (Resident, Asset) -> Bool = { $0.isReallyInside($1) }
    let now: @Sendable () -> Date

    /// Makes a handler for one library that everybody who reaches the service may see.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - manager: The image manager that makes the pictures.
    ///   - configuration: The settings.
    ///   - now: The clock for the expiry of signatures and for daily quotas.
    public init(
        library: PhotoLibrary, manager: ImageManager, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            tenants: [ServiceTenant(name: "everybody", tokens: [], library: library)], manager: manager,
            configuration: configuration, now: now)
    }

    /// Makes a handler for several tenants, which are told apart by tokens.
    ///
    /// - Parameters:
    ///   - tenants: The tenants. A tenant without tokens is reached by signed addresses only, unless it is the only one.
    ///   - manager: The image manager that makes the pictures of all tenants, by fair shares.
    ///   - configuration: The settings. Set a secret where addresses are signed, or where they must outlast the process.
    ///   - now: The clock for the expiry of signatures and for daily quotas.
    public init(
        tenants: [ServiceTenant], manager: ImageManager, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configuration = configuration
        self.manager = manager
        self.now = now
        // Names hide nothing if everybody sees everything: they need not be secret, and browsers keep their files when the
        // service starts anew.
        let isOpen = tenants.count == 1 && tenants[0].tokens.isEmpty
        keys = configuration.secret ?? (isOpen ? ServiceSecret(Array("names that hide nothing".utf8)) : .random())
        missing = MissingPlaceholders()
        residents = Residents(tenants, keys, roots: configuration.roots, missing: missing)
        hosts = HostNames(configuration.hosts)
        signer = configuration.secret.map { AddressSigner($0) }
        // A single tenant's requests all go to the manager, which knows best what to render next. Of several tenants, the
        // manager gets no more than it can work on, so that the others' requests are never behind in its queue.
        admission = Admission(
            tenants.map { Admission.Share(weight: $0.weight, limit: $0.waitingLimit) },
            workerCount: manager.configuration.workerCount,
            runningLimit: tenants.count == 1 ? .max : manager.configuration.workerCount + 1)
        quotas = DailyQuotas(tenants.map(\.dailyByteLimit))
        streams = StreamPlaces(tenants.map(\.streamLimit))
        metrics = ServiceMetrics(tenants.map(\.name))
        grids = GridCache(tenantCount: tenants.count)
        let documents = TenantQueue(tenants.map(\.waitingLimit), width: 1)
        self.documents = documents
        files = TenantQueue(
            residents.all.flatMap { resident in resident.folderPlaces.map { _ in resident.tenant.waitingLimit } },
            width: 4)
        feeds = residents.all.map { ChangeFeed($0, documents, interval: configuration.placeholderInterval) }
        favorites = FavoriteOrders(tenantCount: tenants.count)
        costs = RenderCosts()
        readiness = Readiness()
    }

    /// Answers a request. The call waits neither for renders nor for disks, nor does it walk over a library.
    public func answer(to request: ServiceRequest) -> ServiceAnswer {
        let start = MonotonicTime.now
        metrics.begin()
        var notes = ServiceNotes()
        let answer: ServiceAnswer
        do throws(ServiceError) {
            answer = try route(request, &notes)
        } catch {
            answer = .ready(error.response)
        }
        let isHead = request.isHead
        switch answer {
        case .ready(let response): return .ready(finished(response, notes, start, isHead: isHead))
        case .pending(let pending):
            if let response = pending.response {
                return .ready(finished(response, notes, start, isHead: isHead))
            }
            let outer = PendingResponse()
            outer.stops { pending.cancel() }
            pending.whenReady { [notes] in outer.finish(finished($0, notes, start, isHead: isHead)) }
            return .pending(outer)
        }
    }

    /// Answers a request, and waits for the picture if one has to be made. Cancelling the task cancels the request.
    public func response(to request: ServiceRequest) async -> ServiceResponse {
        switch answer(to: request) {
        case .ready(let response): return response
        case .pending(let pending):
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    pending.whenReady { continuation.resume(returning: $0) }
                }
            } onCancel: {
                pending.cancel()
            }
        }
    }

    /// Counts bytes of a response's body as sent: against the quota of the tenant whose request it answered.
    ///
    /// A server calls this once, when the response is over, with the bytes that went out, which are fewer than the body has
    /// where the client has left, and none where nothing was sent. Until then all bytes of the body count, so that downloads
    /// side by side do not pass the quota. With a server that never calls this, each body counts in full, whatever is sent
    /// of it, except streams and events, whose bytes nobody knows before: these count nothing.
    public func countSent(_ byteCount: Int, of response: ServiceResponse) {
        metrics.countSent(byteCount, of: response.notes.tenantIndex)
        guard let tenant = response.notes.tenantIndex else { return }
        quotas.settle(byteCount, response.notes.reservation, of: tenant, at: now())
    }

    /// Whether clients wait for pictures at present.
    public var isBusy: Bool { admission.counts.contains { $0.waiting + $0.running > 0 } }

    /// Says whether the service is ready for clients, which `/readyz` tells: once its library has been filled.
    public func setReady(_ isReady: Bool) { readiness.set(isReady) }

    /// Says whether the service has tried to make a placeholder of every photograph. Before, limited tenants are only shown the
    /// placeholders of photographs whose pictures they have asked for: others would tell of others' requests.
    public func setPlaceholdersMade(_ areMade: Bool) { setPlaceholdersMissing(areMade ? [] : nil) }

    /// Says of which photographs the service has not yet tried to make a placeholder; with nil, of none. The others' are shown to
    /// limited tenants, too.
    public func setPlaceholdersMissing(_ photographs: Set<AssetIdentifier>?) { missing.set(photographs) }

    /// Adds what every response has, and counts it.
    private func finished(
        _ response: ServiceResponse, _ notes: ServiceNotes, _ start: MonotonicTime, isHead: Bool
    ) -> ServiceResponse {
        var response = response
        response.fields.add("x-content-type-options", "nosniff")
        response.notes.route = notes.route
        response.notes.tenant = notes.tenant
        response.notes.tenantIndex = notes.tenantIndex
        // Nobody reads the response to a client that has left.
        if !isHead, !response.notes.isAbandoned, let tenant = notes.tenantIndex, let count = response.body.byteCount {
            response.notes.reservation = quotas.reserve(count, of: tenant, at: now())
        }
        metrics.end(response, milliseconds: MonotonicTime.now.milliseconds(since: start))
        return response
    }
}
