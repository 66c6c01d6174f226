import Foundation

/// A set of assets, albums and folders. Any thread can fetch immutable results from it, and transactions change it.
///
/// A service can have many libraries. The contents of a library at one moment are a value that never changes: readers
/// take that value and never wait for writers. Views of one library, made with `view(for:)`, share all its contents and
/// differ in their rights.
public final class PhotoLibrary: Sendable {
    /// The library that all parts of a process can share, empty at first. `ImageManager.default` follows it.
    public static let shared = PhotoLibrary()

    let core: LibraryCore
    let policy: any AccessPolicy
    let viewer: LibraryViewer

    /// Makes an empty library.
    ///
    /// - Parameters:
    ///   - configuration: the settings, such as how long assets count as recently added and how much history is kept.
    ///   - now: the clock that gives dates such as `Asset.addedDate`.
    public convenience init(
        configuration: Configuration = Configuration(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(LibraryCore(configuration, now: now), FullAccess())
    }

    init(_ core: LibraryCore, _ policy: any AccessPolicy, _ viewer: LibraryViewer? = nil) {
        self.core = core
        self.policy = policy
        self.viewer = viewer ?? LibraryViewer(AccessView(policy.access))
    }

    /// Makes a view of the library for a user who may see and do less; see <doc:Semantics#Access>.
    ///
    /// The view shares everything that the library holds. It asks the policy at every fetch and before every commit. If the policy
    /// allows other assets later, `accessDidChange()` tells the view's observers.
    public func view(for policy: any AccessPolicy) -> PhotoLibrary { PhotoLibrary(core, policy) }

    /// The assets that this view of the library sees and may change at present, as its access policy says.
    public var access: LibraryAccess { policy.access }

    /// The limits and settings of a library; they are not saved with it.
    public struct Configuration: Sendable {
        /// How long an asset counts as recently added, in seconds.
        public var recentlyAddedInterval: Double = 30 * 86_400
        /// The number of past transactions that `fetchPersistentChanges(since:)` can report, if `historyByteLimit` allows
        /// it. It may report more, because the history is cut only now and then.
        public var historyLimit = 1000
        /// The largest number of changed objects of one transaction that the history records one by one.
        public var historyDetailLimit = 65_536
        /// The approximate size limit of the history in bytes, in memory and in the library's file; older entries are
        /// forgotten, and change tokens that point to them expire.
        ///
        /// The history of a small library has a lower limit. This is half a megabyte or, if that is more, about the
        /// size of the library's own assets, at 1024 bytes each. A longer history would be of no use, because a client
        /// can read all assets again at a lower cost.
        public var historyByteLimit = 16 << 20
        /// Supplies the names of the places of moments, because the library itself knows no place names. It is called
        /// on the thread that reads `localizedLocationNames` of a moment, or that fetches lists of moments.
        public var placeNames: PlaceNames?

        /// Makes a configuration; the defaults suit a library of any size.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }

    var snapshot: Snapshot { core.snapshot }

    var view: AccessView { AccessView(policy.access) }

    var now: @Sendable () -> Date { core.now }
}
