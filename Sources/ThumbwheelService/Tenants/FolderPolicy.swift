import Thumbwheel
import ThumbwheelLocks

/// Lets a user see the photographs below one folder.
///
/// A library asks its policy at each look-up of an asset, also on the threads of sockets, so the answer is kept. After a change of
/// the library, only the assets that have changed are looked at.
package final class FolderPolicy: AccessPolicy {
    /// The assets that the user may see, and the state of the library in which they were found.
    private struct Allowed {
        var token: ChangeToken
        var identifiers: Set<AssetIdentifier>
        /// How often all assets were looked at.
        var walkCount = 1
    }

    private let prefix: String
    private let library: PhotoLibrary
    /// The lock is held while the set is brought up to date, so that no two threads do the same work.
    private let allowed: Mutex<Allowed>

    /// Makes the policy. This walks over the library.
    ///
    /// - Parameter folder: The path of the folder.
    package init(_ folder: String, of library: PhotoLibrary) {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        (self.prefix, self.library) = (prefix, library)
        allowed = Mutex(Self.allowed(prefix, library))
    }

    package var access: LibraryAccess {
        .limited(
            to: allowed.withLock { allowed in
                if library.currentChangeToken != allowed.token { bringUpToDate(&allowed) }
                return allowed.identifiers
            })
    }

    private func bringUpToDate(_ allowed: inout Allowed) {
        do {
            for change in try library.fetchPersistentChanges(since: allowed.token) {
                let details = try change.assetDetails()
                // An asset that has changed again since is looked at again by the next call.
                for identifier in details.inserted.union(details.updated).union(details.deleted) {
                    let asset = library.asset(withIdentifier: identifier)
                    if asset.map({ Self.isBelow(prefix, $0) }) ?? false {
                        allowed.identifiers.insert(identifier)
                    } else {
                        allowed.identifiers.remove(identifier)
                    }
                }
                allowed.token = change.token
            }
        } catch {
            // The history is too short for the changes.
            let walkCount = allowed.walkCount
            allowed = Self.allowed(prefix, library)
            allowed.walkCount += walkCount
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
