import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension LibraryTransaction {
    /// Adds an asset whose metadata is already known. Its image is not read. Use it to fill a library from the host
    /// program's own store, or to add photographs whose files `Asset(reading:)` has read before the transaction.
    ///
    /// - Parameter folder: the folder to which the files of the asset's resources are moved; see
    ///   `createAsset(from:originalFilename:assuming:identifier:movingFilesTo:)`.
    @discardableResult
    public mutating func createAsset(
        _ asset: Asset, movingFilesTo folder: String? = nil
    ) throws(ChangeError) -> AssetPlaceholder {
        try attempt { transaction throws(ChangeError) in
            guard transaction.draft.row(of: asset.identifier) == nil else {
                throw ChangeError(.duplicateAsset(asset.identifier))
            }
            var facts = asset.facts
            if facts.addedDate == nil { facts.addedDate = transaction.date }
            if let folder {
                for index in facts.resources.indices { try transaction.move(&facts.resources[index], to: folder) }
            }
            return try transaction.insert(facts, asset.identifier, thumbHash: asset.thumbHash)
        }
    }

    /// Adds an asset by reading the head of its photograph or video (the metadata at the start of the file).
    ///
    /// While the head is read, other transactions of the library wait; fetches do not wait. If there are many files, or
    /// slow ones, read the heads before the transaction, with `AssetResource.readingHead()`. A resource that is reached
    /// over a network is refused unless its head has been read in this way.
    ///
    /// - Parameters:
    ///   - resources: at least one photograph or video. A photograph with a `pairedVideo` is a live photo. Renderings
    ///     (edited pictures) and adjustment data are not allowed; add them later with `setAdjusted`.
    ///   - originalFilename: the file name to record; nil records the name of the photograph or video that the asset
    ///     shows.
    ///   - timeZone: the time zone of the camera's clock, if the file does not state one.
    ///   - identifier: the identifier of the asset; nil makes a random one.
    ///   - folder: the folder to which the files of the resources are moved; nil leaves them where they are. Within a
    ///     file system, no file is copied. The files are removed from their old folders only when the transaction is
    ///     committed. A file with a second name (a hard link) is refused, and so is a file that some process has open
    ///     for writing.
    ///   - byteFolder: the folder in which resources that are bytes in memory are written to files; nil keeps the bytes
    ///     in memory and in the library's file. The written files are removed again if the transaction is not
    ///     committed.
    /// - Throws: `ChangeError`: `.missingResource`; `.unsupportedResource`; `.invalidResource` for a file that cannot
    ///   be read or moved, or is neither an image nor a video; `.wrongContentType` for bytes of another type than their
    ///   resource states; `.networkAccessRequired` for a head that would have to be read over a network;
    ///   `.duplicateAsset`; `.unwritable` for a file that cannot be written to `byteFolder`.
    @discardableResult
    public mutating func createAsset(
        from resources: [AssetResource], originalFilename: String? = nil, assuming timeZone: TimeZone = .gmt,
        identifier: AssetIdentifier? = nil, movingFilesTo folder: String? = nil,
        writingBytesTo byteFolder: String? = nil
    ) throws(ChangeError) -> AssetPlaceholder {
        let moving = folder.map { folder in Dictionary(uniqueKeysWithValues: resources.indices.map { ($0, folder) }) }
        return try createAsset(
            from: resources, originalFilename: originalFilename, assuming: timeZone, identifier: identifier,
            moving: moving ?? [:], writingBytesTo: byteFolder)
    }

    /// Adds an asset as `createAsset(from:originalFilename:assuming:identifier:movingFilesTo:writingBytesTo:)` does,
    /// but moves only the files of the resources that are listed in `folders`.
    ///
    /// - Parameter folders: the folders into which files are moved. A key is the index of a resource in `resources`.
    ///   The file of a resource without a key is not moved.
    @discardableResult
    package mutating func createAsset(
        from resources: [AssetResource], originalFilename: String? = nil, assuming timeZone: TimeZone = .gmt,
        identifier: AssetIdentifier? = nil, moving folders: [Int: String], writingBytesTo byteFolder: String? = nil
    ) throws(ChangeError) -> AssetPlaceholder {
        try attempt { transaction throws(ChangeError) in
            let identifier = identifier ?? .random()
            guard transaction.draft.row(of: identifier) == nil else { throw ChangeError(.duplicateAsset(identifier)) }
            let kinds = Set(resources.map(\.type))
            for resource in resources where resource.type.comesByAdjustment {
                throw ChangeError(.unsupportedResource(resource.type))
            }
            guard let primary = AssetFacts.currentResource(of: resources), [.photo, .video].contains(primary.type)
            else { throw ChangeError(.missingResource) }
            let name = originalFilename ?? primary.originalFilename ?? "Untitled"
            let (photograph, byteCount) = try Self.photograph(primary, named: name)
            for resource in resources where resource != primary { try Self.checkType(of: resource) }
            var kept = resources.map(\.withoutReading)
            for index in kept.indices {
                if let byteFolder { try transaction.write(&kept[index], beside: name, to: byteFolder) }
                if let folder = folders[index] { try transaction.move(&kept[index], to: folder) }
            }
            // The modification date of the asset's newest file is stored. A later import compares it with the dates of
            // the files to find out whether they have changed.
            let newestFileDate = kept.compactMap { resource in
                resource.filePath.flatMap { try? FileStatus(path: $0) }?.modificationDate
            }.max()
            return try transaction.insert(
                AssetFacts(
                    contentVersion: transaction.firstContentVersion,
                    mediaType: primary.type == .video ? .video : .image,
                    mediaSubtypes: photograph.mediaSubtypes.union(
                        kinds.isSuperset(of: [.photo, .pairedVideo]) ? .photoLive : []), head: photograph.head,
                    resources: kept, fileSize: byteCount, originalFilename: name,
                    creationDate: photograph.head.captureDate?.date(assuming: timeZone) ?? newestFileDate,
                    modificationDate: transaction.date, addedDate: transaction.date, location: photograph.location,
                    duration: photograph.duration, burstIdentifier: photograph.burstIdentifier,
                    representsBurst: photograph.representsBurst,
                    newestFileDate: newestFileDate), identifier)
        }
    }

    /// If the bytes of the resource are in memory, writes them to a file in a folder, and makes this file the source of
    /// the resource.
    ///
    /// - Parameter name: the name of the file, if the resource has none.
    func write(
        _ resource: inout AssetResource, beside name: String, to folder: String
    ) throws(ChangeError) {
        guard case .bytes(let bytes) = resource.source else { return }
        let name = FilePath(resource.originalFilename ?? name).lastComponent
        do throws(FileStatus.Failure) {
            resource.source = .file(path: try files.write(bytes, named: name, into: folder))
        } catch {
            throw ChangeError(.unwritable(path: FilePath(folder).appending(name).text, code: error.code))
        }
    }

    private func move(_ resource: inout AssetResource, to folder: String) throws(ChangeError) {
        guard let path = resource.filePath else { return }
        do throws(FileStatus.Failure) {
            resource.source = .file(path: try files.move(path, into: folder))
        } catch {
            throw ChangeError(.invalidResource(.source(.unreadable(path: path, code: error.code))))
        }
    }

    /// Returns whether an asset can be created from resources of these kinds.
    public static func supportsAssetResourceTypes(_ kinds: [AssetResourceType]) -> Bool {
        (kinds.contains(.photo) || kinds.contains(.video)) && !kinds.contains { $0.comesByAdjustment }
    }

    private func insert(
        _ facts: AssetFacts, _ identifier: AssetIdentifier, thumbHash: ThumbHash? = nil
    ) throws(ChangeError) -> AssetPlaceholder {
        guard draft.row(of: identifier) == nil else { throw ChangeError(.duplicateAsset(identifier)) }
        let row = draft.append(facts, identifier)
        draft.note(thumbHash, of: row)
        return AssetPlaceholder(identifier: identifier)
    }
}
