import Foundation

extension PhotoLibrary {
    private func find(
        _ source: CollectionQuery.Source, _ options: CollectionFetchOptions
    ) -> (items: [CollectionItem], query: CollectionQuery) {
        let snapshot = snapshot
        let query = CollectionQuery(
            source: source, options: options, view: view,
            addedSince: now().addingTimeInterval(-core.configuration.recentlyAddedInterval), number: snapshot.number)
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

    /// The albums and folders in a folder, in its order (row 45).
    public func fetchCollections(
        in list: CollectionList, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionItem> {
        if let items = list.transientItems { return self.items(.items(items), options) }
        return items(.children(of: list.identifier), options)
    }

    /// The albums and folders that are in no folder, in their order; smart albums are not among them (row 45).
    public func fetchTopLevelUserCollections(
        with options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionItem> {
        items(.children(of: .root), options)
    }

    /// The collections of a type, in the order in which they were made (row 46). Moments are days at Greenwich here; see
    /// `fetchMoments`.
    public func fetchAssetCollections(
        with type: AssetCollection.CollectionType, subtype: AssetCollection.Subtype = .any,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        switch type {
        case .album: albums(.albums(subtype), options)
        case .smartAlbum: albums(.smartAlbums(subtype), options)
        case .moment: albums(.moments(.gmt), options)
        }
    }

    /// In the order given; what is missing or no album is dropped (row 46).
    public func fetchAssetCollections(
        withLocalIdentifiers localIdentifiers: [String], options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.identifiers(localIdentifiers.compactMap { CollectionIdentifier(localIdentifier: $0) }), options)
    }

    /// The albums that an asset is in (row 46).
    public func fetchAssetCollectionsContaining(
        _ asset: some AssetReference, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.albumsContaining(asset.identifier), options)
    }

    /// The folders, in the order in which they were made (row 47).
    public func fetchCollectionLists(
        with type: CollectionList.ListType = .folder, subtype: CollectionList.Subtype = .any,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(type == .folder ? .folders(subtype) : .identifiers([]), options)
    }

    /// In the order given; what is missing or no folder is dropped (row 47).
    public func fetchCollectionLists(
        withLocalIdentifiers localIdentifiers: [String], options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.identifiers(localIdentifiers.compactMap { CollectionIdentifier(localIdentifier: $0) }), options)
    }

    /// The folder that a collection is in: one, or none at the top level (row 47).
    public func fetchCollectionListsContaining(
        _ collection: some CollectionReference, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.folderContaining(collection.identifier), options)
    }

    /// The days on which the library's assets were captured, in a time zone, the oldest first. Hidden assets are in none
    /// (rows 13 and 48).
    public func fetchMoments(
        in timeZone: TimeZone, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.moments(timeZone), options)
    }
}
