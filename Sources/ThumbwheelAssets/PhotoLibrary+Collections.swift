import Foundation

extension PhotoLibrary {
    private func find(
        _ source: CollectionQuery.Source, _ options: CollectionFetchOptions
    ) -> (items: [CollectionItem], query: CollectionQuery) {
        let snapshot = snapshot
        let query = CollectionQuery(
            source: source, options: options, view: view, viewer: viewer,
            addedSince: now().addingTimeInterval(-core.configuration.recentlyAddedInterval),
            placeNames: core.configuration.placeNames, in: snapshot)
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

    /// Returns the members of a list:
    ///
    /// - For a folder: its albums and folders, in the order of the folder.
    /// - For a transient list: its members, except albums and folders that have been deleted.
    /// - For a list of moments: its moments.
    public func fetchCollections(
        in list: CollectionList, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionItem> {
        switch list.content {
        case .folder: items(.children(of: list.identifier), options)
        case .transient(let members): items(.items(members.items), options)
        case .moments(let timeZone, let stretch): items(.moments(timeZone, within: stretch), options)
        }
    }

    /// Returns the albums and folders that are in no folder, in the order of the top level, which transactions can
    /// change. Smart albums are not included.
    public func fetchTopLevelUserCollections(
        with options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionItem> {
        items(.children(of: .root), options)
    }

    /// Returns the collections of a type, in the order in which they were made. Moments are days in Greenwich time; use
    /// `fetchMoments` for another time zone.
    ///
    /// - Parameter subtype: the subtype. For smart albums, `.albumRegular` finds all subtypes, as in PhotoKit.
    public func fetchAssetCollections(
        with type: AssetCollection.CollectionType, subtype: AssetCollection.Subtype = .any,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        switch type {
        case .album: albums(.albums(subtype), options)
        case .smartAlbum: albums(.smartAlbums(subtype), options)
        case .moment where subtype == .any: albums(.moments(.gmt, within: nil), options)
        // Moments have no subtypes, so there is no moment of any given subtype, and the result is empty.
        case .moment: albums(.identifiers([]), options)
        }
    }

    /// Returns the albums and smart albums with these identifiers, in the given order. An identifier that is given
    /// twice counts once. Identifiers without an album are ignored.
    public func fetchAssetCollections(
        withLocalIdentifiers localIdentifiers: [String], options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.identifiers(localIdentifiers.compactMap { CollectionIdentifier(localIdentifier: $0) }), options)
    }

    /// Returns the albums that contain an asset or, for the type `.moment`, the moment that contains it. Moments are
    /// days in Greenwich time. Smart albums are not searched.
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

    /// Returns the folders, in the order in which they were made. For the type `.momentList`, returns the lists of
    /// moments instead. Moments are days in Greenwich time. There are no smart folders.
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

    /// Returns the folders with these identifiers, in the given order. An identifier that is given twice counts once.
    /// Identifiers without a folder are ignored.
    public func fetchCollectionLists(
        withLocalIdentifiers localIdentifiers: [String], options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.identifiers(localIdentifiers.compactMap { CollectionIdentifier(localIdentifier: $0) }), options)
    }

    /// Returns the folder that contains a collection. The result is empty if the collection is at the top level.
    public func fetchCollectionListsContaining(
        _ collection: some CollectionReference, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.folderContaining(collection.identifier), options)
    }

    /// Returns the moments of the library: the days, in a time zone, on which assets were taken, oldest first. See
    /// <doc:Semantics#Moments>.
    public func fetchMoments(
        in timeZone: TimeZone, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        albums(.moments(timeZone, within: nil), options)
    }

    /// Returns the lists of moments in a time zone: first one list for each sequence of consecutive days, then one for
    /// each year. Both kinds are sorted, oldest first.
    public func fetchMomentLists(
        with subtype: CollectionList.Subtype = .any, in timeZone: TimeZone,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<CollectionList> {
        folders(.momentLists(timeZone, subtype), options)
    }

    /// Returns the moments in a list of moments. For any other list, the result is empty.
    public func fetchMoments(
        inMomentList list: CollectionList, options: CollectionFetchOptions = CollectionFetchOptions()
    ) -> FetchResult<AssetCollection> {
        guard case .moments(let timeZone, let stretch) = list.content else { return albums(.identifiers([]), options) }
        return albums(.moments(timeZone, within: stretch), options)
    }
}
