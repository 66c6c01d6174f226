import Foundation

extension PhotoLibrary {
    private func find(
        _ source: CollectionQuery.Source, _ options: CollectionFetchOptions
    ) -> (items: [CollectionItem], query: CollectionQuery) {
        let snapshot = snapshot
        let query = CollectionQuery(
            source: source, options: options, view: view, viewer: viewer,
            addedSince: now().addingTimeInterval(-core.configuration.recentlyAddedInterval),
            placeNames: core.configuration.placeNames, number: snapshot.number)
        return (query.items(in: snapshot), query)
    }

    private func items(
        _ source: CollectionQuery.Source, _ options: CollectionFetchOptions
    ) -> FetchResult<CollectionItem> {
        let (items, query) = find(source, options)
        return FetchResult(items, query: query)
    }

    private func albums(
        _ source: CollectionQuery.Source, _ options: CollectionFetchOptions
    ) -> FetchResult<AssetCollection> {
        let (items, query) = find(source, options)
        return FetchResult(items.compactMap(\.album), query: query)
    }

    private func folders(
        _ source: CollectionQuery.Source, _ options: CollectionFetchOptions
    ) -> FetchResult<CollectionList> {
        let (items, query) = find(source, options)
        return FetchResult(items.compactMap(\.folder), query: query)
    }

    /// The members of a list: the albums and folders in a folder, in its order; the members of a transient list, except
    /// deleted albums and folders; or the moments of a list of moments.
    public func fetchCollections(
        in list: CollectionList, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionItem> {
        switch list.content {
        case .folder: items(.children(of: list.identifier), options)
        case .transient(let members): items(.items(members.items), options)
        case .moments(let timeZone, let stretch): items(.moments(timeZone, within: stretch), options)
        }
    }

    /// The albums and folders that are in no folder, in their order; smart albums are not among them.
    public func fetchTopLevelUserCollections(
        with options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionItem> {
        items(.children(of: .root), options)
    }

    /// The collections of a type, in the order in which they were made. Moments are days in Greenwich time here;
    /// `fetchMoments` takes another time zone.
    ///
    /// - Parameter subtype: the finer kind; as in PhotoKit, `.albumRegular` finds all smart albums.
    public func fetchAssetCollections(
        with type: AssetCollection.CollectionType, subtype: AssetCollection.Subtype = .any,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        switch type {
        case .album: albums(.albums(subtype), options)
        case .smartAlbum: albums(.smartAlbums(subtype), options)
        case .moment where subtype == .any: albums(.moments(.gmt, within: nil), options)
        // Moments have no finer kinds.
        case .moment: albums(.identifiers([]), options)
        }
    }

    /// The albums and smart albums with these identifiers, in the order given. Duplicates are kept once, and
    /// identifiers that name no album are dropped.
    public func fetchAssetCollections(
        withLocalIdentifiers localIdentifiers: [String], options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.identifiers(localIdentifiers.compactMap { CollectionIdentifier(localIdentifier: $0) }), options)
    }

    /// The albums that contain an asset or, for the type `.moment`, the moment that contains it. Moments are days in
    /// Greenwich time here. Smart albums are not searched.
    public func fetchAssetCollectionsContaining(
        _ asset: some AssetReference, with type: AssetCollection.CollectionType = .album,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        switch type {
        case .album: albums(.albumsContaining(asset.identifier), options)
        case .smartAlbum: albums(.identifiers([]), options)
        case .moment: albums(.momentsContaining(asset.identifier, .gmt), options)
        }
    }

    /// The folders, in the order in which they were made; for the type `.momentList`, the lists of moments. Moments are
    /// days in Greenwich time here. There are no smart folders.
    public func fetchCollectionLists(
        with type: CollectionList.ListType = .folder, subtype: CollectionList.Subtype = .any,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        switch type {
        case .folder: folders(.folders(subtype), options)
        case .momentList: folders(.momentLists(.gmt, subtype), options)
        case .smartFolder: folders(.identifiers([]), options)
        }
    }

    /// The folders with these identifiers, in the order given. Duplicates are kept once, and identifiers that name no
    /// folder are dropped.
    public func fetchCollectionLists(
        withLocalIdentifiers localIdentifiers: [String], options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.identifiers(localIdentifiers.compactMap { CollectionIdentifier(localIdentifier: $0) }), options)
    }

    /// The folder that contains a collection: one folder, or none if the collection is at the top level.
    public func fetchCollectionListsContaining(
        _ collection: some CollectionReference, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.folderContaining(collection.identifier), options)
    }

    /// The days, in a time zone, on which the library's assets were captured, oldest first; see <doc:Semantics#Moments>.
    public func fetchMoments(
        in timeZone: TimeZone, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.moments(timeZone, within: nil), options)
    }

    /// Lists of moments in a time zone: first one for each run of consecutive days, then one for each year. Each kind
    /// has its oldest list first.
    public func fetchMomentLists(
        with subtype: CollectionList.Subtype = .any, in timeZone: TimeZone,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.momentLists(timeZone, subtype), options)
    }

    /// The moments in a list of moments; any other list has none.
    public func fetchMoments(
        inMomentList list: CollectionList, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        guard case .moments(let timeZone, let stretch) = list.content else { return albums(.identifiers([]), options) }
        return albums(.moments(timeZone, within: stretch), options)
    }
}
