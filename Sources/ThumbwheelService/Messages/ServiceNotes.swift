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
    /// The place that a thumbnail came from; of several pictures, that of the one that took most to have. Nil for other responses.
    public internal(set) var origin: Origin? {
        get { ownOrigin ?? pictures?.origin }
        set { ownOrigin = newValue }
    }
    /// The time in queues, in milliseconds: for a disk, for the tenant's turn and for a worker. Of several pictures, it is the longest one's.
    public var queueMilliseconds: Double { max(ownQueueMilliseconds, pictures?.queueMilliseconds ?? 0) }
    /// The time of the render, in milliseconds; of several pictures, that of all of them.
    public internal(set) var renderMilliseconds: Double {
        get { ownRenderMilliseconds + (pictures?.renderMilliseconds ?? 0) }
        set { ownRenderMilliseconds = newValue }
    }
    /// Whether the request ended because its client had left.
    public internal(set) var isAbandoned = false

    private var ownOrigin: Origin?
    private var ownQueueMilliseconds = 0.0
    private var ownRenderMilliseconds = 0.0
    /// What is known of the pictures of an answer that has several, some of which are still to come.
    var pictures: PictureNotes?

    /// The tenant's place; nil if no tenant was recognised.
    var tenantIndex: Int?
    /// The bytes of the body that count against the tenant's quota until the server has told how many it has sent.
    var reservation: DailyQuotas.Reservation?

    /// Makes notes of which nothing is known yet.
    public init() {}

    /// Adds a time in a queue.
    mutating func addWait(_ milliseconds: Double) { ownQueueMilliseconds += milliseconds }
}
