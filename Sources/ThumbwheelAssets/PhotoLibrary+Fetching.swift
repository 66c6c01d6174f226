import Foundation

extension PhotoLibrary {
    func fetch(_ source: AssetQuery.Source, _ options: FetchOptions) -> FetchResult<Asset> {
        fetch(AssetQuery(source: source, options: options, view: view, viewer: viewer))
    }

    func fetch(_ query: AssetQuery) -> FetchResult<Asset> {
        let snapshot = snapshot
        return FetchResult(AssetRows(AssetSelection(query, in: snapshot).rows(), query, snapshot, core.identity))
    }

    /// The assets of the library, in the order of import unless `options` sort them; see <doc:Semantics#Fetching>.
    ///
    /// By default, the fetch leaves out hidden assets, assets from outside the user's own library, and some members of
    /// bursts: those that neither represent the burst nor were picked by the user. It always leaves out assets in
    /// Recently Deleted.
    ///
    /// - Complexity: linear in the library; sorting adds its own cost.
    public func fetchAssets(with options: FetchOptions = FetchOptions()) -> FetchResult<Asset> {
        fetch(.library, options)
    }

    /// The assets of one media type, in the order of import unless `options` sort them.
    public func fetchAssets(
        with mediaType: AssetMediaType, options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        let test = ComparisonTest(
            column: { $0.mediaType }, absent: 0, relation: .equal, value: UInt8(mediaType.rawValue))
        return fetch(.matching(test, AssetQuery.Scope()), options)
    }

    /// The assets with these identifiers, including hidden ones, in the order given. Missing assets are dropped, and
    /// duplicates are kept once.
    public func fetchAssets(
        withLocalIdentifiers localIdentifiers: [String], options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        fetch(.identifiers(localIdentifiers.compactMap { AssetIdentifier(localIdentifier: $0) }), options)
    }

    /// The members of a burst: its representative and the members that the user picked, or all members with
    /// `includeAllBurstAssets`. See <doc:Semantics#Bursts>.
    public func fetchAssets(
        withBurstIdentifier burstIdentifier: String, options: FetchOptions = FetchOptions()
    ) -> FetchResult<Asset> {
        fetch(.burst(burstIdentifier), options)
    }

    /// The assets whose bytes are in these files, in the order of import.
    ///
    /// - Complexity: linear in the library.
    public func fetchAssets(withFileURLs urls: [URL], options: FetchOptions = FetchOptions()) -> FetchResult<Asset> {
        // Imports record canonical paths, but a file added by the host keeps the path that the host gave, so both are
        // looked up.
        let paths = Set(
            urls.flatMap { url in
                ([url.path] + [try? FileStatus.canonicalPath(url.path)].compactMap(\.self)).map(FilePath.init)
            })
        let test = SlotTest { columns, slot in
            columns.resources(at: slot).contains { $0.filePath.map { paths.contains(FilePath($0)) } ?? false }
        }
        return fetch(.matching(test, AssetQuery.Scope()), options)
    }

    /// The assets of a collection. Unless `options` sort them, an album and a transient collection give them in their
    /// own order. Other collections give them in the order of import.
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

    /// The assets that represent a collection: the first assets of an album or a transient collection, the newest assets of
    /// any other, none if the collection is empty. There is one unless `fetchLimit` asks for more. See
    /// <doc:Semantics#Key-assets>.
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

    /// The number of assets that a fetch would find, without making its result.
    public func countOfAssets(with options: FetchOptions = FetchOptions()) -> Int {
        AssetSelection(AssetQuery(source: .library, options: options, view: view), in: snapshot).count()
    }

    /// The number of assets that a fetch would find in a collection.
    public func countOfAssets(in collection: AssetCollection, options: FetchOptions = FetchOptions()) -> Int {
        let query = AssetQuery(source: Self.source(of: collection), options: options, view: view)
        return AssetSelection(query, in: snapshot).count()
    }

    /// The asset with this identifier, hidden or not; nil if the library has no such asset or has it in Recently Deleted.
    public func asset(withIdentifier identifier: AssetIdentifier) -> Asset? {
        let snapshot = snapshot
        guard let row = snapshot.row(of: identifier), !snapshot.flag(.trashed, of: row), view.sees(identifier) else {
            return nil
        }
        return snapshot.asset(at: row)
    }
}
