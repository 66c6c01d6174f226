import Thumbwheel

/// A user of the service: a view of the library, and what the service holds for the user.
final class SoakUser {
    /// An asset as it was fetched at some time.
    struct KeptAsset {
        let asset: Asset
        let item: LibraryModel.Item
    }

    let number: Int
    let policy: SoakPolicy
    var view: PhotoLibrary
    var seen = SeenResults()
    var observer: SoakObserver
    var observation: ChangeObservation?
    /// The log's number of transactions when the observation began.
    var observedFrom = 0
    /// Up to where the user has read the history.
    var point: ChangeLog.Point
    /// Ends requests of a page that the user leaves.
    var pageToken = CancellationToken()
    /// Lives as long as the user's connection, and is never cancelled.
    let connectionToken = CancellationToken()
    var caching: CachingImageManager
    var grid: SoakGrid?
    private(set) var kept: [KeptAsset] = []
    /// Requests made lately, with their tickets.
    private(set) var requests: [(id: ImageRequestID, ticket: Int)] = []
    private(set) var tasks: [(task: Task<Void, Never>, ticket: Int)] = []

    init(
        _ number: Int, _ access: LibraryModel.Access, _ library: PhotoLibrary, _ point: ChangeLog.Point,
        _ manager: ImageManager, _ complaints: Complaints
    ) {
        self.number = number
        policy = SoakPolicy(access)
        view = library.view(for: policy)
        observer = SoakObserver("user \(number)", view, policy, complaints)
        self.point = point
        caching = CachingImageManager(manager)
    }

    func keep(_ asset: Asset, _ item: LibraryModel.Item) {
        kept.append(KeptAsset(asset: asset, item: item))
        if kept.count > 8 { kept.removeFirst() }
    }

    func keep(_ id: ImageRequestID, _ ticket: Int) {
        requests.append((id, ticket))
        if requests.count > 16 { requests.removeFirst() }
    }

    func keep(_ task: Task<Void, Never>, _ ticket: Int) {
        tasks.append((task, ticket))
        if tasks.count > 4 { tasks.removeFirst() }
    }

    /// Lets go of everything that belongs to requests.
    func forgetRequests() { (requests, tasks) = ([], []) }

    /// And of what the user has seen.
    func forgetAll() {
        forgetRequests()
        (kept, seen) = ([], SeenResults())
    }
}
