import Foundation

extension PhotoLibrary {
    private func find(
        _ source: CollectionQuery.Source, _ options: CollectionFetchOptions
    ) -> (items: [CollectionItem], query: CollectionQuery) {
        let snapshot = snapshot
        let query = CollectionQuery(
            source: source, options: options, view: view,
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

    /// The albums and folders in a folder, in its order; the members of a transient list, except albums that have been
    /// deleted; or the moments of a list of moments.
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
    public func fetchAssetCollections(
        with type: AssetCollection.CollectionType, subtype: AssetCollection.Subtype = .any,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        switch type {
        case .album: albums(.albums(subtype), options)
        case .smartAlbum: albums(.smartAlbums(subtype), options)
        case .moment: albums(.moments(.gmt, within: nil), options)
        }
    }

    /// The albums with these identifiers, in the order given; identifiers that name no album are dropped.
    public func fetchAssetCollections(
        withLocalIdentifiers localIdentifiers: [String], options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.identifiers(localIdentifiers.compactMap { CollectionIdentifier(localIdentifier: $0) }), options)
    }

    /// The albums that contain an asset, or the moment that contains it, which is a day in Greenwich time. Smart albums
    /// are not searched.
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

    /// The folders in the order in which they were made, or the lists of moments, whose days are in Greenwich time. There
    /// are no smart folders.
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

    /// The folders with these identifiers, in the order given; identifiers that name no folder are dropped.
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

    /// Lists of moments in a time zone: one for each year and one for each run of days, each kind with the oldest first.
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
