import Thumbwheel
import ThumbwheelLocks

/// Lets a user see the photographs below one folder.
final class FolderPolicy: AccessPolicy {
    private let prefix: String
    private let library: PhotoLibrary
    /// The assets that the user may see, and the state of the library in which they were found.
    private let allowed = Mutex<(token: ChangeToken, identifiers: Set<AssetIdentifier>)?>(nil)

    init(_ folder: String, of library: PhotoLibrary) {
        prefix = folder.hasSuffix("/") ? folder : folder + "/"
        self.library = library
    }

    var access: LibraryAccess {
        let token = library.currentChangeToken
        if let known = allowed.withLock({ $0 }), known.token == token { return .limited(to: known.identifiers) }
        var options = FetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        let assets = library.fetchAssets(with: options).filter { asset in
            asset.resource.filePath?.utf8.starts(with: prefix.utf8) ?? false
        }
        let identifiers = Set(assets.map(\.identifier))
        allowed.withLock { $0 = (token, identifiers) }
        return .limited(to: identifiers)
    }
}
