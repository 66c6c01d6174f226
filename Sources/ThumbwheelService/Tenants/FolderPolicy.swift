import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks

/// Lets a user see the photographs below one folder.
///
/// A library asks its policy at each look-up of an asset, also on the threads of sockets, so the answer is kept. After a change of
/// the library, only the assets that have changed are looked at. Where these are many, or nobody knows any more which they are, it takes a walk
/// over the library: a thread of a socket has the earlier answer until another one has made it.
package final class FolderPolicy: AccessPolicy {
    /// The assets that the user may see, and the state of the library in which they were found.
    private struct Allowed {
        var token: ChangeToken
        var identifiers: Set<AssetIdentifier>
        /// How often all assets were looked at.
        var walkCount = 1
        /// Whether a walk is to begin on another thread, or has begun.
        var isWalkDue = false
    }

    /// Whether the present thread may walk over the library. Those of sockets may not.
    @TaskLocal static var mayWalk = false

    private let prefix: String
    private let library: PhotoLibrary
    private let changeLimit: Int
    private let allowed: Mutex<Allowed>
    /// Held during a walk, so that no two threads make the same.
    private let walk = Mutex(())

    /// Makes the policy. This walks over the library.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - changeLimit: The most changed assets that a thread looks at which may not walk over the library.
    package init(_ folder: String, of library: PhotoLibrary, changeLimit: Int = 4096) {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        (self.prefix, self.library, self.changeLimit) = (prefix, library, changeLimit)
        allowed = Mutex(Self.allowed(prefix, library))
    }

    package var access: LibraryAccess {
        let present = library.currentChangeToken
        let (token, identifiers) = allowed.withLock { allowed in
            // The set is not handed out if it is about to be changed, for which it would then be copied.
            (allowed.token, allowed.token == present ? allowed.identifiers : nil)
        }
        if let identifiers { return .limited(to: identifiers) }
        if let identifiers = followChanges(since: token) { return .limited(to: identifiers) }
        if Self.mayWalk { return .limited(to: walkOverLibrary()) }
        let (earlier, isToBegin) = allowed.withLock { allowed in
            defer { allowed.isWalkDue = true }
            return (allowed.identifiers, !allowed.isWalkDue)
        }
        if isToBegin {
            BlockingThreads.services.run { [self] in
                _ = walkOverLibrary()
                allowed.withLock { $0.isWalkDue = false }
            }
        }
        return .limited(to: earlier)
    }

    /// Looks at what has changed since a state of the library.
    ///
    /// - Returns: the assets that the user may see; nil where it takes a walk over the library to know them.
    private func followChanges(since token: ChangeToken) -> Set<AssetIdentifier>? {
        guard let changes = try? library.fetchPersistentChanges(since: token) else { return nil }
        guard let last = changes.last?.token else { return allowed.withLock { $0.identifiers } }
        var changed: Set<AssetIdentifier> = []
        for change in changes {
            guard let details = try? change.assetDetails() else { return nil }
            for identifiers in [details.inserted, details.updated, details.deleted] { changed.formUnion(identifiers) }
            guard Self.mayWalk || changed.count <= changeLimit else { return nil }
        }
        // An asset that has changed again since is looked at again by the next call.
        let states = changed.map { identifier in
            (identifier, library.asset(withIdentifier: identifier).map { Self.isBelow(prefix, $0) } ?? false)
        }
        return allowed.withLock { allowed in
            // Another thread may have followed them already, and others.
            guard allowed.token == token else { return allowed.identifiers }
            for (identifier, isAllowed) in states {
                if isAllowed {
                    allowed.identifiers.insert(identifier)
                } else {
                    allowed.identifiers.remove(identifier)
                }
            }
            allowed.token = last
            return allowed.identifiers
        }
    }

    /// - Returns: the assets that the user may see.
    private func walkOverLibrary() -> Set<AssetIdentifier> {
        walk.withLock { _ in
            // Whoever has waited for the lock may find the walk made.
            let token = allowed.withLock { $0.token }
            if let identifiers = Self.$mayWalk.withValue(true, operation: { followChanges(since: token) }) {
                return identifiers
            }
            let new = Self.allowed(prefix, library)
            return allowed.withLock { allowed in
                (allowed.token, allowed.identifiers) = (new.token, new.identifiers)
                allowed.walkCount += 1
                return allowed.identifiers
            }
        }
    }

    /// How often all assets of the library were looked at.
    package var walkCount: Int { allowed.withLock { $0.walkCount } }

    /// Looks at all assets of the library.
    private static func allowed(_ prefix: String, _ library: PhotoLibrary) -> Allowed {
        // The token is read before the fetch: what changes meanwhile is looked at again.
        let token = library.currentChangeToken
        var options = FetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        let assets = library.fetchAssets(with: options).filter { isBelow(prefix, $0) }
        return Allowed(token: token, identifiers: Set(assets.map(\.identifier)))
    }

    private static func isBelow(_ prefix: String, _ asset: Asset) -> Bool {
        asset.resource.filePath?.utf8.starts(with: prefix.utf8) ?? false
    }
}
