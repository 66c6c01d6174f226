import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension LibraryTransaction {
    /// Adds an asset whose facts are known already, without reading any file. Use it to fill a library from the host's
    /// own store, or to add photographs whose heads `Asset(reading:)` read before the transaction began.
    ///
    /// - Parameter folder: the folder to move the files of the asset's resources to; see
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

    /// Adds an asset by reading the head of its photograph.
    ///
    /// While the head is read, the library's other transactions wait, but fetches do not. For many files, or slow ones,
    /// read the heads before the transaction, with `AssetResource.readingHead()`. A resource that needs a network is refused
    /// unless its head was read so.
    ///
    /// - Parameters:
    ///   - resources: at least one photograph or video; a photograph with a `pairedVideo` is a live photo. Renderings and
    ///     adjustments come later, by `setAdjusted`.
    ///   - originalFilename: the name to record; nil takes the name of the presented photograph or video.
    ///   - timeZone: the time zone assumed for the camera's clock if the file does not state one.
    ///   - identifier: the asset's identifier; nil makes a new one at random.
    ///   - folder: the folder to move the resources' files to; nil leaves them where they are. No file is copied within a
    ///     file system, and originals are removed only when the transaction is committed. A file with a second name (a
    ///     hard link) is refused.
    ///   - byteFolder: the folder to write the resources' bytes in memory to, as files; nil keeps them in memory and in the
    ///     library's file. The files go again if the transaction is not committed.
    /// - Throws: `ChangeError`: `.missingResource`, `.unsupportedResource`, `.invalidResource` for a file that cannot be
    ///   read or moved or is neither an image nor a video, `.wrongContentType` for bytes that are not of the type that
    ///   their resource states, `.networkAccessRequired` for a head that would have to come over a network,
    ///   `.duplicateAsset`.
    @discardableResult
    public mutating func createAsset(
        from resources: [AssetResource], originalFilename: String? = nil, assuming timeZone: TimeZone = .gmt,
        identifier: AssetIdentifier? = nil, movingFilesTo folder: String? = nil,
        writingBytesTo byteFolder: String? = nil
    ) throws(ChangeError) -> AssetPlaceholder {
        try attempt { transaction throws(ChangeError) in
            let identifier = identifier ?? .random()
            guard transaction.draft.row(of: identifier) == nil else { throw ChangeError(.duplicateAsset(identifier)) }
            let kinds = Set(resources.map(\.type))
            for resource in resources where resource.type.comesByAdjustment {
                throw ChangeError(.unsupportedResource(resource.type))
            }
            guard let primary = AssetFacts.presentedResource(of: resources), [.photo, .video].contains(primary.type)
            else { throw ChangeError(.missingResource) }
            let name = originalFilename ?? primary.originalFilename ?? "Untitled"
            let (photograph, byteCount) = try Self.photograph(primary, named: name)
            for resource in resources where resource != primary { try Self.checkType(of: resource) }
            var kept = resources.map(\.withoutReading)
            for index in kept.indices {
                if let byteFolder { try transaction.write(&kept[index], beside: name, to: byteFolder) }
                if let folder { try transaction.move(&kept[index], to: folder) }
            }
            // An import compares the date of the newest file.
            let fileDate = resources.compactMap { resource in
                resource.filePath.flatMap { try? FileStatus(path: $0) }?.modificationDate
            }.max()
            return try transaction.insert(
                AssetFacts(
                    contentVersion: transaction.firstContentVersion,
                    mediaType: primary.type == .video ? .video : .image,
                    mediaSubtypes: photograph.mediaSubtypes.union(
                        kinds.isSuperset(of: [.photo, .pairedVideo]) ? .photoLive : []), head: photograph.head,
                    resources: kept, fileSize: byteCount, originalFilename: name,
                    creationDate: photograph.head.captureDate?.date(assuming: timeZone) ?? fileDate,
                    modificationDate: transaction.date, addedDate: transaction.date, location: photograph.location,
                    burstIdentifier: photograph.burstIdentifier, representsBurst: photograph.representsBurst,
                    fileDate: fileDate), identifier)
        }
    }

    /// Writes a resource's bytes, if they are in memory, to a file in a folder.
    private func write(
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

    /// Whether an asset can be created from resources of these kinds.
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
