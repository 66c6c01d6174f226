import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks

/// A tenant with what the service has made for it: the names of its assets, and its place in metrics and queues.
struct Resident: Sendable {
    let tenant: ServiceTenant
    /// The place in the service's list of tenants.
    let index: Int
    let names: AssetNames
    let roots: FolderRoots?
    /// The tenant's folders as they were named, each with a slash at its end.
    let folders: [String]
    /// Their places in the queue of what waits for disks, and behind them that of files elsewhere.
    let folderPlaces: Range<Int>
    let insiders: KnownInsiders
    /// The pictures that the tenant has been sent; nil for the only tenant, to whom nothing of others could be told.
    let seen: SeenPictures?
    /// Says which placeholders tell of others' requests, because the service has not made them.
    let missing: MissingPlaceholders

    /// The tenant's share of the memory budget; nil for the only tenant.
    var budgetShare: BudgetShare? { seen == nil ? nil : BudgetShare(of: index, weight: tenant.weight) }

    var library: PhotoLibrary { tenant.library }

    /// Whether the tenant sees the whole library.
    var seesAll: Bool { if case .full = library.access { true } else { false } }

    /// Returns the asset that a name stands for, if the tenant's library shows it. Its files may still lie elsewhere.
    func asset(_ name: Substring) -> Asset? { names.identifier(name).flatMap(asset) }

    /// Returns an asset if the tenant's library has it, and it is not hidden: a name that was given out before the asset was
    /// hidden leads nowhere.
    func asset(_ identifier: AssetIdentifier) -> Asset? {
        library.asset(withIdentifier: identifier).flatMap { $0.isHidden ? nil : $0 }
    }

    /// The place in the queue of what waits for the disk that an asset lies on.
    func folderPlace(of asset: Asset) -> Int {
        let path = asset.resource.filePath ?? ""
        let folder = folders.firstIndex { path.utf8.starts(with: $0.utf8) }
        return folderPlaces.lowerBound + (folder ?? folders.count)
    }

    /// Whether all files of an asset are known to lie in the folders that may be delivered. No file is looked at.
    func isKnownInside(_ asset: Asset) -> Bool { roots == nil || insiders.contains(asset) }

    /// Whether all files of an asset lie in the folders that may be delivered, as far as is known without looking at each folder
    /// again. This waits for the disk.
    func isInside(_ asset: Asset) -> Bool {
        guard let roots else { return true }
        guard asset.resources.allSatisfy({ $0.filePath.map(roots.seemToContain) ?? true }) else { return false }
        insiders.insert(asset)
        return true
    }

    /// The same for lists, which look at no file again of an asset that has not changed. What has become of the file since is looked at as it is
    /// read. This may wait for the disk.
    func isListed(_ asset: Asset) -> Bool { isKnownInside(asset) || isInside(asset) }

    /// The assets of the library that no list may show, because their files lie elsewhere. This waits for the disk.
    func outsiders() -> Set<AssetIdentifier> {
        guard roots != nil else { return [] }
        var options = FetchOptions()
        (options.includeHiddenAssets, options.includeAllBurstAssets) = (true, true)
        return Set(library.fetchAssets(with: options).filter { !isListed($0) }.map(\.identifier))
    }

    /// Whether all files of an asset lie in those folders now. It is asked before files are read for a picture, and waits for the
    /// disk.
    func isReallyInside(_ asset: Asset) -> Bool {
        guard let roots else { return true }
        return asset.resources.allSatisfy { $0.filePath.map(roots.contain) ?? true }
    }

    // MARK: Placeholders

    /// Returns the placeholders that lists show: not those that others' requests have left, which would tell of these, until the
    /// service would have made them.
    func shownHashes() -> @Sendable (Asset) -> ThumbHash? {
        guard let seen, library.isView else { return { $0.thumbHash } }
        guard let missing = missing.assets else {
            return { seen.hasPicture(of: $0.identifier) ? $0.thumbHash : nil }
        }
        guard !missing.isEmpty else { return { $0.thumbHash } }
        return { !missing.contains($0.identifier) || seen.hasPicture(of: $0.identifier) ? $0.thumbHash : nil }
    }

    /// A mark that changes with the placeholders that lists show. No transaction tells of these changes.
    var hashMark: HashMark {
        guard let seen, library.isView else { return HashMark(keptCount: KeptHashes.count) }
        let keptCount = missing.assets == nil ? 0 : KeptHashes.count
        return HashMark(keptCount: keptCount, ownCount: seen.assetChangeCount, missingNumber: missing.number)
    }

    /// How many placeholders lists show.
    var shownHashCount: Int {
        let hash = shownHashes()
        return library.fetchAssets().reduce(0) { $0 + (hash($1) == nil ? 0 : 1) }
    }
}
