import Thumbwheel

/// Holds what a view of a library shows against the model.
struct LibraryComparison {
    let view: PhotoLibrary
    let model: LibraryModel
    let access: LibraryModel.Access
    let names: CollectionNames

    private func require(
        _ name: String, _ seen: some Sequence<Int>, _ expected: [Int]
    ) throws(SoakFailure) {
        let seen = Array(seen)
        if seen != expected { throw SoakFailure(.contents, expected: "\(name): \(expected)", seen: "\(seen)") }
    }

    private func numbers(_ result: FetchResult<Asset>) -> [Int] { result.map(\.identifier.soakNumber) }

    /// The lists of all assets that the view shows.
    func compareAssets() throws(SoakFailure) {
        try require("assets", numbers(view.fetchAssets()), model.shown(to: access))
        let withHidden = FetchOptions(includeHiddenAssets: true)
        try require(
            "assets and hidden ones", numbers(view.fetchAssets(with: withHidden)), model.shownWithHidden(to: access))
        try require("trash", smart(.smartAlbumRecentlyDeleted), model.trashed(to: access))
        try require("favorites", smart(.smartAlbumFavorites), model.favorites(to: access))
        let count = view.countOfAssets()
        try require("count", [count], [model.shown(to: access).count])
    }

    private func smart(_ subtype: AssetCollection.Subtype) -> [Int] {
        view.fetchAssetCollections(with: .smartAlbum, subtype: subtype).flatMap { numbers(view.fetchAssets(in: $0)) }
    }

    /// One album's members, or one folder's children.
    func compare(node: Int) throws(SoakFailure) {
        guard let record = model.nodes[node] else { return }
        if record.isFolder {
            try require("children of \(node)", children(of: node).map { names.number($0.identifier) }, record.children)
        } else {
            try require("members of \(node)", numbers(members(of: node)), model.members(of: node, to: access))
        }
    }

    func members(of album: Int) -> FetchResult<Asset> {
        guard let identifier = names[album]?.localIdentifier,
            let collection = view.fetchAssetCollections(withLocalIdentifiers: [identifier]).first
        else { return FetchResult([]) }
        return view.fetchAssets(in: collection)
    }

    func children(of folder: Int) -> FetchResult<CollectionItem> {
        if folder == LibraryModel.top { return view.fetchTopLevelUserCollections() }
        guard let identifier = names[folder]?.localIdentifier,
            let list = view.fetchCollectionLists(withLocalIdentifiers: [identifier]).first
        else { return FetchResult([]) }
        return view.fetchCollections(in: list)
    }

    /// One asset, and its versions.
    func compare(_ item: LibraryModel.Item, _ versions: inout VersionRegister) throws(SoakFailure) {
        guard let asset = view.asset(withIdentifier: AssetIdentifier(soak: item.number)) else {
            if item.isTrashed || !access.sees(item.number) { return }
            throw SoakFailure(.contents, expected: "asset \(item.number)", seen: "none")
        }
        let isRight =
            !item.isTrashed && access.sees(item.number) && asset.isFavorite == item.isFavorite
            && asset.isHidden == item.isHidden && asset.hasAdjustments == (item.rendering != nil)
        guard isRight else {
            throw SoakFailure(
                .contents, expected: "\(item)",
                seen: "favorite \(asset.isFavorite), hidden \(asset.isHidden), adjusted \(asset.hasAdjustments)")
        }
        try compare(asset, .current, item.current)
        try compare(asset, .unadjusted, item.original)
        try versions.note(asset.pictureVersion(), of: item.number, item.current.picture)
        try versions.note(asset.pictureVersion(of: .unadjusted), of: item.number, item.original.picture)
    }

    private func compare(_ asset: Asset, _ version: ImageVersion, _ source: SoakSource) throws(SoakFailure) {
        let isRight =
            switch (asset.resource(of: version).source, source.place) {
            case (.bytes(let bytes), .memory): (try? source.picture.encoded()) == bytes
            case (.provider(let provider), .provider): provider.identifier == source.name
            default: false
            }
        if !isRight {
            throw SoakFailure(
                .contents, expected: "asset \(asset.identifier.soakNumber), \(version): \(source)",
                seen: "other bytes")
        }
    }

    /// All of it.
    func compareAll(_ versions: inout VersionRegister) throws(SoakFailure) {
        try compareAssets()
        for item in model.items { try compare(item, &versions) }
        for node in model.nodes.keys.sorted() {
            try compare(node: node)
            guard node != LibraryModel.top, let record = model.nodes[node], let name = names[node] else { continue }
            let titles =
                record.isFolder
                ? view.fetchCollectionLists(withLocalIdentifiers: [name.localIdentifier]).map(\.localizedTitle)
                : view.fetchAssetCollections(withLocalIdentifiers: [name.localIdentifier]).map(\.localizedTitle)
            guard titles == [record.title] else {
                throw SoakFailure(.contents, expected: "title of \(node): \(record.title)", seen: "\(titles)")
            }
        }
        let albums = view.fetchAssetCollections(with: .album).map { names.number($0.identifier) }
        try require("albums", albums.sorted(), model.albums)
    }
}
