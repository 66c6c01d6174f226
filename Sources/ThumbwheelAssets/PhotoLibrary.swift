import Foundation
import Synchronization
import ThumbwheelCore
import ThumbwheelFormats

/// A set of assets in the order in which they came, from which immutable results are fetched on any thread.
///
/// A service can have many. Nothing is kept on disk: identifiers follow from what was imported, so that another run finds
/// the same assets under the same names.
public final class PhotoLibrary: Sendable {
    private let state = Mutex(Snapshot())
    // A port, so that tests can tell what `addedDate` must be.
    let now: @Sendable () -> Date

    /// Makes an empty library.
    ///
    /// - Parameter now: tells the time for `Asset.addedDate`.
    public init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    var snapshot: Snapshot { state.withLock { $0 } }

    /// Changes the snapshot; the closure runs inside the lock and must not call out.
    func change<Result: Sendable>(_ body: (inout Snapshot) -> Result) -> Result {
        state.withLock { snapshot in body(&snapshot) }
    }
}

extension PhotoLibrary {
    /// Adds assets in their order; those whose identifier is there already are passed over.
    ///
    /// - Returns: how many were added.
    @discardableResult
    public func add(_ assets: some Sequence<Asset>) -> Int {
        let assets = Array(assets)
        return change { snapshot in
            var count = 0
            for asset in assets where snapshot.insert(asset) { count += 1 }
            return count
        }
    }

    /// Adds a photograph that is in memory. Its identifier follows from bytes and name: adding the same again gives the
    /// asset that is there.
    ///
    /// - Parameter timeZone: where the camera's clock is taken to have been, if the bytes do not tell.
    @discardableResult
    public func addAsset(
        bytes: [UInt8], filename: String, assuming timeZone: TimeZone = .gmt
    ) throws(HeadError) -> Asset {
        var digest = NameDigest(filename + "\0")
        digest.combine(bytes)
        let asset = try Asset(
            reading: .bytes(bytes), identifier: AssetIdentifier(digest), originalFilename: filename, assuming: timeZone,
            addedDate: now())
        return change { snapshot in
            snapshot.insert(asset)
            return snapshot[asset.identifier] ?? asset
        }
    }
}

extension PhotoLibrary {
    /// The assets of the library, in the order of import unless `options` sort them.
    public func fetchAssets(with options: FetchOptions = FetchOptions()) -> FetchResult<Asset> {
        options.apply(to: snapshot.assets)
    }

    /// The assets of these identifiers in the order given; those that are missing are dropped, duplicates are kept once
    /// (row 42).
    public func fetchAssets(
        withLocalIdentifiers localIdentifiers: [String], options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        let snapshot = snapshot
        var seen: Set<AssetIdentifier> = []
        let assets = localIdentifiers.compactMap { text -> Asset? in
            guard let asset = AssetIdentifier(localIdentifier: text).flatMap({ snapshot[$0] }),
                seen.insert(asset.identifier).inserted
            else { return nil }
            return asset
        }
        return options.apply(to: assets)
    }

    /// The asset of this identifier; nil if the library has none.
    public func asset(withIdentifier identifier: AssetIdentifier) -> Asset? {
        state.withLock { $0[identifier] }
    }
}
