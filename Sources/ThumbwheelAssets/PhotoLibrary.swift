import Foundation

/// A set of assets, albums and folders. Any thread can fetch immutable results from a library. Transactions change it.
///
/// A service can have many libraries. The contents of a library at one moment are a value that never changes, so
/// readers never wait for writers. Views of a library, made with `view(for:)`, have the same contents, but different
/// rights.
public final class PhotoLibrary: Sendable {
    /// A library that all parts of a process can share. It is empty at first. `ImageManager.default` observes its
    /// changes.
    public static let shared = PhotoLibrary()

    let core: LibraryCore
    let policy: any AccessPolicy
    let viewer: LibraryViewer

    /// Makes an empty library.
    ///
    /// - Parameters:
    ///   - configuration: the settings, such as the time for which assets count as recently added, and the length of
    ///     the history.
    ///   - now: the clock for dates such as `Asset.addedDate`.
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

    /// Makes a view of the library for a user with fewer rights; see <doc:Semantics#Access>.
    ///
    /// The view has the same contents as the library. It asks the policy at each fetch and before each commit. If the
    /// policy allows other assets later, call `accessDidChange()`, which informs the observers of the view.
    public func view(for policy: any AccessPolicy) -> PhotoLibrary { PhotoLibrary(core, policy) }

    /// The assets that the user of this view may see and change at present, according to its access policy.
    public var access: LibraryAccess { policy.access }

    /// Whether a policy of the host program decides what the user sees. Unlike `access`, this asks no policy.
    package var isView: Bool { !(policy is FullAccess) }

    /// The limits and settings of a library. They are not saved with the library.
    public struct Configuration: Sendable {
        /// The time for which an asset counts as recently added, in seconds.
        public var recentlyAddedInterval: Double = 30 * 86_400
        /// The number of past transactions that `fetchPersistentChanges(since:)` can report at least, unless
        /// `historyByteLimit` leaves room for fewer. Older transactions can be reported as well until they are removed,
        /// which happens only from time to time.
        public var historyLimit = 1000
        /// If a transaction changes more objects than this, the history does not list them one by one.
        public var historyDetailLimit = 65_536
        /// The approximate size limit of the history in bytes, in memory and in the library's file. Entries beyond the
        /// limit are removed, and change tokens for them expire.
        ///
        /// For a small library, the limit is lower: 1024 bytes for each asset, which is about the size of the assets
        /// themselves, but at least half a megabyte. A longer history would be of no use, because reading all assets
        /// again would cost a client less.
        public var historyByteLimit = 16 << 20
        /// A function that returns the names of places for moments and albums, because the library itself knows no
        /// names. It is called on the thread that reads `localizedLocationNames` of a collection, or that fetches lists
        /// of moments.
        public var placeNames: PlaceNames?

        /// Makes a configuration. The default values suit libraries of any size.
        public init() {}

        /// Makes a configuration and calls `configure` to change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }

    var snapshot: Snapshot { core.snapshot }

    var view: AccessView { AccessView(policy.access) }

    var now: @Sendable () -> Date { core.now }
}
