import Foundation

extension PhotoLibrary {
    func fetch(_ source: AssetQuery.Source, _ options: FetchOptions) -> FetchResult<Asset> {
        fetch(AssetQuery(source: source, options: options, view: view, viewer: viewer))
    }

    func fetch(_ query: AssetQuery) -> FetchResult<Asset> {
        let snapshot = snapshot
        return FetchResult(AssetRows(AssetSelection(query, in: snapshot).rows(), query, snapshot, core.identity))
    }

    /// Returns the assets of the library. They are in the order of import unless `options` sort them; see
    /// <doc:Semantics#Fetching>.
    ///
    /// With the default options, the fetch leaves out hidden assets, assets that do not come from the user's own
    /// library, and those members of bursts that neither represent the burst nor were picked by the user. Assets in
    /// Recently Deleted are always left out.
    ///
    /// - Complexity: linear in the number of assets in the library. Sorting takes additional time.
    public func fetchAssets(with options: FetchOptions = FetchOptions()) -> FetchResult<Asset> {
        fetch(.library, options)
    }

    /// Returns the assets of one media type. They are in the order of import unless `options` sort them.
    public func fetchAssets(
        with mediaType: AssetMediaType, options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        let test = ComparisonTest(
            column: { $0.mediaType }, absent: 0, relation: .equal, value: UInt8(mediaType.rawValue))
        return fetch(.matching(test, AssetQuery.Scope()), options)
    }

    /// Returns the assets with these identifiers, including hidden ones, in the given order. Identifiers without an
    /// asset are ignored. An identifier that is given twice counts once.
    public func fetchAssets(
        withLocalIdentifiers localIdentifiers: [String], options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        fetch(.identifiers(localIdentifiers.compactMap { AssetIdentifier(localIdentifier: $0) }), options)
    }

    /// Returns the members of a burst: the representative and the members that the user has picked, or all members if
    /// `includeAllBurstAssets` is true. See <doc:Semantics#Bursts>.
    public func fetchAssets(
        withBurstIdentifier burstIdentifier: String, options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        fetch(.burst(burstIdentifier), options)
    }

    /// Returns the assets whose bytes are in these files, in the order of import.
    ///
    /// - Complexity: linear in the number of assets in the library.
    public func fetchAssets(withFileURLs urls: [URL], options: FetchOptions = FetchOptions()) -> FetchResult<Asset> {
        // Both the given path and the canonical path (without symbolic links) are looked up. An import stores the
        // canonical paths of files. An asset that the host program creates in a transaction has its file's path as the
        // host gave it.
        let paths = Set(
            urls.flatMap { url in
                ([url.path] + [try? FileStatus.canonicalPath(url.path)].compactMap(\.self)).map(FilePath.init)
            })
        let test = SlotTest { columns, slot in
            columns.resources(at: slot).contains { $0.filePath.map { paths.contains(FilePath($0)) } ?? false }
        }
        return fetch(.matching(test, AssetQuery.Scope()), options)
    }

    /// Returns the assets of a collection. Unless `options` sort them, they are in the order of the collection for an
    /// album or a transient collection, and in the order of import for any other collection.
    public func fetchAssets(
        in collection: AssetCollection, options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        fetch(Self.source(of: collection), options)
    }

    private static func source(of collection: AssetCollection) -> AssetQuery.Source {
        switch collection.content {
        case .album: .album(collection.identifier)
        case .transient(let identifiers): .members(identifiers)
        case .smart(let test, let scope): .matching(test, scope)
        case .moment(let start, let end):
            .matching(
                BothTest(
                    first: CreationDateTest(.greaterOrEqual, start), second: CreationDateTest(.less, end)),
                AssetQuery.Scope())
        }
    }

    /// Returns the assets that represent a collection: the first assets of an album or a transient collection, or the
    /// newest assets of any other collection. The result has at most `fetchLimit` assets, or at most one asset if
    /// `options` set no limit. See <doc:Semantics#Key-assets>.
    public func fetchKeyAssets(
        in collection: AssetCollection, options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        var options = options
        if options.fetchLimit == 0 { options.fetchLimit = 1 }
        let hasOrder =
            switch collection.content {
            case .album, .transient: true
            case .smart, .moment: false
            }
        if !hasOrder, options.sortDescriptors.isEmpty {
            options.sortDescriptors = [AssetSortDescriptor(.creationDate, ascending: false)]
        }
        return fetchAssets(in: collection, options: options)
    }

    /// Returns the number of assets that a fetch would find. It is faster than the fetch, because no result is made.
    public func countOfAssets(with options: FetchOptions = FetchOptions()) -> Int {
        AssetSelection(AssetQuery(source: .library, options: options, view: view), in: snapshot).count()
    }

    /// Returns the number of assets that a fetch would find in a collection.
    public func countOfAssets(in collection: AssetCollection, options: FetchOptions = FetchOptions()) -> Int {
        let query = AssetQuery(source: Self.source(of: collection), options: options, view: view)
        return AssetSelection(query, in: snapshot).count()
    }

    /// Returns the asset with this identifier, even if it is hidden; nil if the library has no such asset or the asset
    /// is in Recently Deleted.
    public func asset(withIdentifier identifier: AssetIdentifier) -> Asset? {
        let snapshot = snapshot
        guard let row = snapshot.row(of: identifier), !snapshot.flag(.trashed, of: row), view.sees(identifier) else {
            return nil
        }
        return snapshot.asset(at: row)
    }
}
