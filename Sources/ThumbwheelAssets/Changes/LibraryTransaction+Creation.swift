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
    /// The library's other transactions wait while it reads; fetches do not. For many files, or slow ones, read the heads
    /// before the transaction with `Asset(reading:)`, and add the assets with `createAsset(_:movingFilesTo:)`.
    ///
    /// - Parameters:
    ///   - resources: at least one photograph or video; a photograph with a `pairedVideo` is a live photo. Renderings and
    ///     adjustments come later, by `setAdjusted`.
    ///   - originalFilename: the name to record; nil takes the name of the file of the presented photograph or video.
    ///   - timeZone: the time zone assumed for the camera's clock if the file does not state one.
    ///   - folder: the folder to move the resources' files to; nil leaves them where they are. No file is copied within a
    ///     file system, and originals are removed only when the transaction is committed. A file with a second name (a
    ///     hard link) is refused.
    /// - Throws: `ChangeError`: `.missingResource`, `.unsupportedResource`, `.invalidResource` for a file that cannot be
    ///   read or moved or is not an image, `.duplicateAsset`.
    @discardableResult
    public mutating func createAsset(
        from resources: [AssetResource], originalFilename: String? = nil, assuming timeZone: TimeZone = .gmt,
        identifier: AssetIdentifier? = nil, movingFilesTo folder: String? = nil
    ) throws(ChangeError) -> AssetPlaceholder {
        try attempt { transaction throws(ChangeError) in
            let identifier = identifier ?? .random()
            guard transaction.draft.row(of: identifier) == nil else { throw ChangeError(.duplicateAsset(identifier)) }
            let kinds = Set(resources.map(\.kind))
            for kind in [AssetResource.Kind.fullSizePhoto, .adjustmentData] where kinds.contains(kind) {
                throw ChangeError(.unsupportedResource(kind))
            }
            guard let primary = AssetFacts.presentedResource(of: resources), [.photo, .video].contains(primary.kind)
            else { throw ChangeError(.missingResource) }
            let (head, byteCount) = try Self.head(of: primary)
            let name = originalFilename ?? primary.filePath.map { FilePath($0).lastComponent } ?? "Untitled"
            var kept = resources
            if let folder { for index in kept.indices { try transaction.move(&kept[index], to: folder) } }
            let status = primary.filePath.flatMap { path in
                do throws(FileStatus.Failure) { return try FileStatus(path: path) } catch { return nil }
            }
            return try transaction.insert(
                AssetFacts(
                    contentVersion: transaction.firstContentVersion,
                    mediaType: primary.kind == .video ? .video : .image,
                    mediaSubtypes: kinds.isSuperset(of: [.photo, .pairedVideo]) ? .photoLive : [], head: head,
                    resources: kept, fileSize: byteCount, originalFilename: name,
                    creationDate: head.captureDate?.date(assuming: timeZone), modificationDate: transaction.date,
                    addedDate: transaction.date, fileDate: status?.modificationDate), identifier)
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
    public static func supportsResourceKinds(_ kinds: [AssetResource.Kind]) -> Bool {
        (kinds.contains(.photo) || kinds.contains(.video)) && !kinds.contains(.fullSizePhoto)
            && !kinds.contains(.adjustmentData)
    }

    static func head(of resource: AssetResource) throws(ChangeError) -> (ImageHead, Int) {
        do throws(HeadError) {
            let source: any ByteSource
            do throws(ByteSourceError) {
                source = try resource.open()
            } catch {
                throw .source(error)
            }
            if resource.kind == .video {
                // The contents of videos are not read.
                let type = ContentType(rawValue: "video/mp4")
                return (ImageHead(contentType: type, storedSize: .zero), source.byteCount)
            }
            return (try ImageHead(reading: source), source.byteCount)
        } catch {
            throw ChangeError(.invalidResource(error))
        }
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
