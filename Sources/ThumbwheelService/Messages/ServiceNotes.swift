/// Notes on how a response was made, for access logs: the tenant, the kind of address, the origin, and the times.
public struct ServiceNotes: Sendable {
    /// The kinds of addresses.
    public enum Route: String, Sendable, CaseIterable {
        /// The gallery's page.
        case page
        /// A thumbnail.
        case thumbnail
        /// Small pictures of several assets in one answer.
        case previews
        /// A file of an asset.
        case original
        /// Albums, grids and favourites, which the gallery asks for besides pictures.
        case library
        /// The stream of changes.
        case events
        /// Health and metrics.
        case operations
        /// No address of the service.
        case unknown
    }

    /// The origins of a thumbnail.
    public enum Origin: String, Sendable {
        /// The client had it.
        case client
        /// The cache.
        case cache
        /// The store on disk.
        case store
        /// A render, perhaps one that another request had asked for.
        case render
    }

    /// The kind of the address.
    public internal(set) var route = Route.unknown
    /// The tenant's name; nil if no tenant was recognised.
    public internal(set) var tenant: String?
    /// The place that a thumbnail came from; nil for other responses.
    public internal(set) var origin: Origin?
    /// The time in queues, in milliseconds.
    public internal(set) var queueMilliseconds = 0.0
    /// The time of the render, in milliseconds.
    public internal(set) var renderMilliseconds = 0.0
    /// Whether the request ended because its client had left.
    public internal(set) var isAbandoned = false

    /// The tenant's place; nil if no tenant was recognised.
    var tenantIndex: Int?
    /// The bytes of the body that count against the tenant's quota until the server has told how many it has sent.
    var reservation: DailyQuotas.Reservation?

    /// Makes notes of which nothing is known yet.
    public init() {}
}
