import Thumbwheel
import ThumbwheelLocks

/// A tenant with what the service has made for it: the names of its assets, and its place in metrics and queues.
struct Resident: Sendable {
    let tenant: ServiceTenant
    /// The place in the service's list of tenants.
    let index: Int
    let names: AssetNames
    let roots: LibraryRoots?

    var library: PhotoLibrary { tenant.library }

    /// Whether the tenant sees the whole library.
    var seesAll: Bool { if case .full = library.access { true } else { false } }

    /// Returns the asset that a name stands for, if the tenant sees it.
    func asset(_ name: Substring) -> Asset? {
        guard let identifier = names.identifier(name), let asset = library.asset(withIdentifier: identifier),
            isInside(asset)
        else { return nil }
        return asset
    }

    /// Whether all files of an asset lie in the folders that may be delivered, as far as is known without looking at each folder
    /// again.
    func isInside(_ asset: Asset) -> Bool {
        guard let roots else { return true }
        return asset.resources.allSatisfy { $0.filePath.map(roots.seemToContain) ?? true }
    }

    /// The assets of the library that no list may show, because their files lie elsewhere.
    func outsiders() -> Set<AssetIdentifier> {
        guard roots != nil else { return [] }
        var options = FetchOptions()
        (options.includeHiddenAssets, options.includeAllBurstAssets) = (true, true)
        return Set(library.fetchAssets(with: options).filter { !isInside($0) }.map(\.identifier))
    }

    /// Whether all files of an asset lie in those folders now. It is asked before files are read for a picture.
    func isReallyInside(_ asset: Asset) -> Bool {
        guard let roots else { return true }
        return asset.resources.allSatisfy { $0.filePath.map(roots.contain) ?? true }
    }
}
