import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension ChunkColumns {
    @inline(__always)
    func identifier(at slot: Int) -> AssetIdentifier { settled.identifiers[slot] }

    /// Returns the identifier of a row that exists, for example because `IdentifierIndex` contains it. This is not
    /// checked: the check would read the header of the array, which in a large library is a cache miss for each search.
    @inline(__always)
    func identifier(ofPresentRow slot: Int) -> AssetIdentifier {
        settled.identifiers.withUnsafeBufferPointer { $0[slot] }
    }

    @inline(__always)
    func contentVersion(at slot: Int) -> UInt32 { settled.contentVersion[slot] }

    @inline(__always)
    func picture(at slot: Int) -> PictureVersion { settled.pictures[slot] }

    func mediaType(at slot: Int) -> AssetMediaType { AssetMediaType(rawValue: Int(mediaType[slot])) ?? .unknown }

    func mediaSubtypes(at slot: Int) -> AssetMediaSubtype {
        subtypes.isEmpty ? [] : AssetMediaSubtype(rawValue: UInt(subtypes[slot]))
    }

    func duration(at slot: Int) -> Double { duration.isEmpty ? 0 : duration[slot] }

    func newestFileDate(at slot: Int) -> Double { newestFileDate.isEmpty ? AbsentNumber.value : newestFileDate[slot] }

    func trashedDate(at slot: Int) -> Date? { trashed.isEmpty ? nil : AbsentNumber.date(trashed[slot]) }

    func location(at slot: Int) -> Location? {
        guard self[.located, slot] else { return nil }
        let altitude = altitude.isEmpty ? AbsentNumber.value : altitude[slot]
        return Location(
            latitude: latitude[slot], longitude: longitude[slot],
            altitude: AbsentNumber.isAbsent(altitude) ? nil : altitude)
    }

    func mark(at slot: Int) -> FileMark {
        FileMark(
            node: settled.nodes.isEmpty ? 0 : settled.nodes[slot],
            sample: settled.samples.isEmpty ? 0 : settled.samples[slot])
    }

    /// Returns the version of the asset's original picture. If the asset is not adjusted, this is the picture that it
    /// shows.
    func originalPicture(at slot: Int) -> PictureVersion {
        details[slot]?.adjustment?.originalPicture ?? picture(at: slot)
    }

    /// Returns the length, in bytes, of the asset's original file: its photograph or video before any edit. For an
    /// adjusted asset, this is not the length of the shown picture.
    func originalFileSize(at slot: Int) -> Int {
        details[slot]?.adjustment?.originalFileSize ?? Int(fileSize[slot])
    }

    func burstIdentifier(at slot: Int) -> String? { bursts.isEmpty(at: slot) ? nil : bursts.text(at: slot) }

    func burstSelectionTypes(at slot: Int) -> AssetBurstSelectionType {
        var types: AssetBurstSelectionType = []
        if self[.autoPick, slot] { types.insert(.autoPick) }
        if self[.userPick, slot] { types.insert(.userPick) }
        return types
    }

    func prototype(at slot: Int) -> ImageHead { prototypes[Int(prototype[slot])] }

    func pixelSize(at slot: Int) -> PixelSize {
        if let head = details[slot]?.head { return head.displaySize }
        return PixelSize(width: Int(width[slot]), height: Int(height[slot]))
    }

    func head(at slot: Int) -> ImageHead {
        if let head = details[slot]?.head { return head }
        var head = prototype(at: slot)
        head.storedSize = head.orientation.displaySize(of: pixelSize(at: slot))
        head.captureDate = PackedCaptureDate(clock: captureClock[slot], zone: captureZone[slot]).date
        if !head.previews.isEmpty {
            let start = Int(previewStart[slot])
            head.previews[0].byteRange = start..<start + Int(previewCount[slot])
        }
        return head
    }

    func resources(at slot: Int) -> [AssetResource] {
        if folder[slot] != SettledColumns.noFolder {
            return [AssetResource(type: mainType(at: slot), source: .file(path: filePath(at: slot)))]
        }
        return details[slot]?.resources ?? []
    }

    /// Returns the type of the asset's main resource: a video if the asset is a video, otherwise a photograph.
    func mainType(at slot: Int) -> AssetResourceType { mediaType(at: slot) == .video ? .video : .photo }

    /// Returns whether the resource that the asset shows can be read without a network. A file always can. If the
    /// columns contain the path of the asset's only file, the answer is found without making an `AssetResource`, which
    /// would take longer.
    func isLocallyAvailable(at slot: Int) -> Bool {
        guard folder[slot] == SettledColumns.noFolder, let resources = details[slot]?.resources else { return true }
        return AssetFacts.currentResource(of: resources)?.isLocallyAvailable ?? true
    }

    /// Returns the path of the asset's only resource: the folder from `folders`, followed by the original filename. The
    /// row must have an index into `folders`.
    private func filePath(at slot: Int) -> String { folders[Int(folder[slot])] + "/" + filenames.text(at: slot) }

    /// Returns the path of the asset's photograph or video as it was before any edit. Nil if the photograph or video is
    /// not in a file.
    func mainPath(at slot: Int) -> FilePath? {
        if folder[slot] != SettledColumns.noFolder { return FilePath(filePath(at: slot)) }
        return AssetFacts.mainResource(of: details[slot]?.resources ?? [])?.filePath.map(FilePath.init)
    }

    /// Returns whether the asset's photograph or video, as it was before any edit, is the file at a path. If the
    /// columns contain the folder and the name of the file, they are compared with the path in place, without making a
    /// string.
    func isMainFile(at slot: Int, in path: FilePath) -> Bool {
        guard folder[slot] != SettledColumns.noFolder else { return mainPath(at: slot) == path }
        return path.isItem(ofFolder: folders[Int(folder[slot])], named: filenames.bytes[filenames.range(at: slot)])
    }

    func facts(at slot: Int) -> AssetFacts {
        let details = details[slot]
        return AssetFacts(
            contentVersion: contentVersion[slot], picture: picture(at: slot), mediaType: mediaType(at: slot),
            mediaSubtypes: mediaSubtypes(at: slot), head: head(at: slot), resources: resources(at: slot),
            fileSize: Int(fileSize[slot]), originalFilename: filenames.text(at: slot),
            creationDate: AbsentNumber.date(creation[slot]),
            modificationDate: AbsentNumber.date(modification(at: slot)),
            addedDate: AbsentNumber.date(added[slot]), location: location(at: slot), duration: duration(at: slot),
            isFavorite: self[.favorite, slot], isHidden: self[.hidden, slot],
            burstIdentifier: burstIdentifier(at: slot), burstSelectionTypes: burstSelectionTypes(at: slot),
            representsBurst: self[.representsBurst, slot],
            sourceType: AssetSourceType(rawValue: sourceType[slot]), adjustment: details?.adjustment,
            trashedDate: trashedDate(at: slot), newestFileDate: AbsentNumber.date(newestFileDate(at: slot)),
            ignoredRenderingDate: details?.ignoredRenderingDate.map(Date.init(timeIntervalSinceReferenceDate:)),
            mark: mark(at: slot))
    }
}
