import Foundation

extension LibraryChange {
    /// Returns the differences between a result and the same fetch after this change; nil if nothing in the result has
    /// changed. Changes by earlier transactions that the result does not show yet are included. To get later changes,
    /// pass `fetchResultAfterChanges` next time. See <doc:Semantics#Change-details>.
    ///
    /// - Complexity: linear in the number of assets in the library. If few assets have changed, only these are
    ///   examined, and the linear part is the copying of the result's list.
    public func changeDetails(for result: FetchResult<Asset>) -> FetchResultChangeDetails<Asset>? {
        guard case .rows(let before, _) = result.storage, before.library === library else {
            return detailsOfList(result)
        }
        var query = before.query
        query.view = view(for: query.view, of: query.viewer)
        let isSameView = query.view == before.query.view
        // Returns nil for a result that already shows this change: it was fetched from the snapshot with which the
        // change ends, or from a newer one.
        //
        // In one case, the fetch is repeated nevertheless: the result was fetched from exactly the snapshot with which
        // the change ends, but the user may see other assets now. This case exists because a change of the user's
        // access makes no new snapshot.
        if before.snapshot.number >= after.number {
            guard !isSameView, before.snapshot.number == after.number else { return nil }
        }
        let isSameNumbering = before.snapshot.numbering == after.numbering
        let changed = after.rowsChanged(since: before.snapshot)
        let options = query.options
        if options.wantsIncrementalChangeDetails, isSameView, isSameNumbering, !isAlbumChanged(before),
            IncrementalRefetch.isWorthwhile(before, changedCount: changed.count)
        {
            let refetch = IncrementalRefetch(before, changed: changed, in: after)
            return details(result, AssetRows(refetch.rows, query, after, library), refetch.difference)
        }
        let rows = AssetSelection(query, in: after).rows()
        let changedRows = Set(changed)
        let former = isSameNumbering ? before.rows : before.snapshot.renumbered(before.rows, in: after)
        if rows == former, !rows.contains(where: changedRows.contains) { return nil }
        let difference =
            options.wantsIncrementalChangeDetails
            ? ListDifference(
                rows: former, to: rows, rowCount: after.rowCount, isChanged: { changedRows.contains($0) }) : nil
        return details(result, AssetRows(rows, query, after, library), difference)
    }

    private func isAlbumChanged(_ rows: AssetRows) -> Bool {
        guard case .album(let identifier) = rows.query.source else { return false }
        guard let record = after.collections[identifier] else { return true }
        return record.changeNumber > rows.snapshot.number
    }

    private func details(
        _ before: FetchResult<Asset>, _ rows: AssetRows, _ difference: ListDifference?
    ) -> FetchResultChangeDetails<Asset>? {
        if let difference, difference.isEmpty { return nil }
        return FetchResultChangeDetails(before, FetchResult(rows), difference)
    }

    /// Compares a result that was made from a list of assets, not by a fetch, with the state of these assets after this
    /// change. Returns the differences; nil if nothing has changed. The new result has the assets of the list in their
    /// new state. An asset is left out if it no longer exists, if it is in Recently Deleted, or if the user who gets
    /// this change may not see it.
    private func detailsOfList(_ result: FetchResult<Asset>) -> FetchResultChangeDetails<Asset>? {
        let view = view
        let assets = result.compactMap { asset in
            guard view.sees(asset.identifier) else { return nil as Asset? }
            return after.row(of: asset.identifier).flatMap { after.flag(.trashed, of: $0) ? nil : after.asset(at: $0) }
        }
        let changed = Set(assets.filter { changeDetails(for: $0.identifier) })
        let details = FetchResultChangeDetails(from: result, to: FetchResult(assets), changedObjects: changed)
        return assets.count == result.count && changed.isEmpty ? nil : details
    }

    private func changeDetails(for identifier: AssetIdentifier) -> Bool {
        guard let row = after.row(of: identifier) else { return true }
        return after.chunks[Chunk.index(of: row)].columns.changeNumber(at: Chunk.slot(of: row)) > before.number
    }

    /// Returns the changes of a result of albums, smart albums or moments; nil if nothing in the result has changed.
    public func changeDetails(
        for result: FetchResult<AssetCollection>
    ) -> FetchResultChangeDetails<AssetCollection>? {
        details(result) { $0.album }
    }

    /// Returns the changes of a result of folders; nil if nothing in the result has changed.
    public func changeDetails(
        for result: FetchResult<CollectionList>
    ) -> FetchResultChangeDetails<CollectionList>? {
        details(result) { $0.folder }
    }

    /// Returns the changes of a result that lists the members of a folder or of the top level; nil if nothing in the
    /// result has changed.
    public func changeDetails(
        for result: FetchResult<CollectionItem>
    ) -> FetchResultChangeDetails<CollectionItem>? {
        details(result) { $0 }
    }

    private func details<Object: LibraryCollection>(
        _ result: FetchResult<Object>, _ object: (CollectionItem) -> Object?
    ) -> FetchResultChangeDetails<Object>? {
        guard var query = result.collectionQuery, query.number <= after.number else { return nil }
        let number = query.number
        let snapshot = number == before.number ? before : query.limitedSnapshot
        let former = query.view
        query.view = view(for: former, of: query.viewer)
        if number == after.number, query.view == former { return nil }
        query.pin(to: after)
        let objects = query.items(in: after).compactMap(object)
        let old = Array(result)
        let isSame = objects == old
        let changed = Set(
            objects.filter { object in
                after.collections[object.identifier].map { isVisiblyChanged($0, since: number, snapshot) } ?? false
            } + Self.recounted(old, objects) + retold(old, objects, since: number))
        if isSame, changed.isEmpty { return nil }
        let difference =
            query.options.wantsIncrementalChangeDetails
            ? ListDifference(from: old, to: objects) { changed.contains($0) } : nil
        return FetchResultChangeDetails(result, FetchResult(objects, query: query), difference)
    }

    /// Returns the albums and moments that tell other counts, dates or places than before. What albums told at the
    /// snapshot with which this change begins need not be computed: the changed assets show which albums are concerned.
    private func retold<Object: LibraryCollection>(
        _ old: [Object], _ new: [Object], since number: UInt64
    ) -> [Object] {
        guard new.contains(where: { $0.item.album?.tellsCount == true || Self.isMoment($0) }) else { return [] }
        let members = number == before.number ? RetoldMembers(from: before, to: after) : nil
        let known = Dictionary(old.map { ($0.identifier, $0) }) { first, _ in first }
        return new.filter { now in
            guard let then = known[now.identifier] else { return false }
            if let members, let album = now.item.album, case .album = album.content {
                return album.tellsCount && members.concern(now.identifier)
            }
            return Self.isToldOtherwise(then.item.album, now.item.album)
                || now.startDate != then.startDate || now.endDate != then.endDate
        }
    }

    private static func isToldOtherwise(_ then: AssetCollection?, _ now: AssetCollection?) -> Bool {
        then?.estimatedAssetCount != now?.estimatedAssetCount || then?.approximateLocation != now?.approximateLocation
    }

    /// Returns the albums whose asset count is known in only one of the two lists. This happens if the user's access
    /// has changed between the two lists, because a user who may not see all assets does not get the counts of albums.
    private static func recounted<Object: LibraryCollection>(_ before: [Object], _ after: [Object]) -> [Object] {
        let known = Dictionary(before.map { ($0.identifier, $0) }) { first, _ in first }
        return after.filter { now in
            guard let album = now.item.album, let then = known[now.identifier]?.item.album else { return false }
            return album.tellsCount != then.tellsCount
        }
    }

    private static func isMoment(_ collection: some LibraryCollection) -> Bool {
        switch collection.item {
        case .album(let album): album.assetCollectionType == .moment
        case .folder(let folder): folder.collectionListType == .momentList
        }
    }
}

extension ListDifference {
    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty }
}
