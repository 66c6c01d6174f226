import Foundation

/// A set of assets, albums and folders, from which immutable results are fetched on any thread, and which transactions
/// change.
///
/// A service can have many. What a library holds at one moment is a value that never changes: readers take it and never
/// wait for writers. Views of one library, made with `view(for:)`, share all it holds and differ in what they may do.
public final class PhotoLibrary: Sendable {
    let core: LibraryCore
    let policy: any AccessPolicy

    /// Makes an empty library.
    ///
    /// - Parameters:
    ///   - configuration: how long things count as recent, and how much history is kept.
    ///   - now: tells the time for `Asset.addedDate` and the like.
    public convenience init(
        configuration: Configuration = Configuration(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(LibraryCore(configuration, now: now), FullAccess())
    }

    init(_ core: LibraryCore, _ policy: any AccessPolicy) {
        self.core = core
        self.policy = policy
    }

    /// Makes a view of the library for somebody who may see and do less; see <doc:Semantics#Access>.
    ///
    /// The view shares everything that the library holds. It asks the policy at every fetch and before every commit.
    public func view(for policy: any AccessPolicy) -> PhotoLibrary { PhotoLibrary(core, policy) }

    /// The limits and the habits of a library; not saved with it.
    public struct Configuration: Sendable {
        /// How many seconds an asset counts as recently added.
        public var recentlyAddedInterval: Double = 30 * 86_400
        /// How many transactions `persistentChanges(since:)` can tell of.
        public var historyLimit = 1000
        /// The most objects of one transaction that are remembered one by one.
        public var historyDetailLimit = 65_536
        /// The approximate size limit of the history in bytes, in memory and in the library's file; older entries are
        /// forgotten, and change tokens that point to them expire.
        ///
        /// The history of a small library keeps a lower limit: half a megabyte, or about the size of the library's own
        /// assets, 1024 bytes each. A client whose token has expired reads such a library anew for less than that.
        public var historyByteLimit = 16 << 20
        /// What the places of moments are called; the library itself knows no names of places. Called on whatever
        /// thread asks for `localizedLocationNames`.
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
