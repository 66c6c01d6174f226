import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension ChunkColumns {
    /// Writes all metadata of an asset to its row.
    func write(_ facts: AssetFacts, _ identifier: AssetIdentifier, at slot: Int) {
        let facts = facts.bounded
        let settled = ownSettledColumns()
        settled.identifiers[slot] = identifier
        settled.contentVersion[slot] = facts.contentVersion
        settled.pictures[slot] = facts.picture ?? PictureVersion(contentVersion: facts.contentVersion)
        settled.mediaType[slot] = UInt8(facts.mediaType.rawValue)
        settled.sourceType[slot] = facts.sourceType.rawValue
        settled.modification[slot] = AbsentNumber.number(facts.modificationDate)
        setCreationDate(AbsentNumber.number(facts.creationDate), at: slot)
        settled.added[slot] = AbsentNumber.number(facts.addedDate)
        settled.fileSize[slot] = Int64(facts.fileSize)
        Self.set(UInt64(facts.mediaSubtypes.rawValue), in: &settled.subtypes, at: slot, absent: 0)
        Self.set(facts.duration, in: &settled.duration, at: slot, absent: 0)
        Self.set(
            AbsentNumber.number(facts.newestFileDate), in: &settled.newestFileDate, at: slot, absent: AbsentNumber.value
        )
        setMark(facts.mark, at: slot)
        settled.filenames.set(facts.originalFilename, at: slot)
        settled.bursts.set(facts.burstIdentifier ?? "", at: slot)
        setLocation(facts.location, at: slot)
        dropDetails(at: slot)
        writeHead(facts.head, at: slot)
        writeResources(facts.resources, named: facts.originalFilename, at: slot)
        setDetail(\.adjustment, to: facts.adjustment, at: slot)
        setDetail(
            \.ignoredRenderingDate, to: facts.ignoredRenderingDate?.timeIntervalSinceReferenceDate, at: slot)
        writeFlags(facts, at: slot)
        setTrashedDate(facts.trashedDate?.timeIntervalSinceReferenceDate, at: slot)
        count = max(count, slot + 1)
    }

    func setMark(_ mark: FileMark, at slot: Int) {
        let settled = ownSettledColumns()
        Self.set(mark.node, in: &settled.nodes, at: slot, absent: 0)
        Self.set(mark.sample, in: &settled.samples, at: slot, absent: 0)
    }

    private func writeFlags(_ facts: AssetFacts, at slot: Int) {
        self[.alive, slot] = true
        self[.favorite, slot] = facts.isFavorite
        self[.hidden, slot] = facts.isHidden
        self[.trashed, slot] = facts.trashedDate != nil
        self[.outsideUserLibrary, slot] = !facts.sourceType.contains(.userLibrary)
        self[.representsBurst, slot] = facts.representsBurst
        self[.autoPick, slot] = facts.burstSelectionTypes.contains(.autoPick)
        self[.userPick, slot] = facts.burstSelectionTypes.contains(.userPick)
        self[.burstRest, slot] =
            facts.burstIdentifier?.isEmpty == false && !facts.representsBurst
            && !facts.burstSelectionTypes.contains(.userPick)
        self[.adjusted, slot] = facts.adjustment != nil
        self[.raw, slot] = RowTraits.isRAW(facts.head.contentType, facts.resources)
        self[.animated, slot] = RowTraits.isAnimated(facts.head)
        self[.sourceMissing, slot] = false
    }

    func setCreationDate(_ date: Double, at slot: Int) {
        setCreation(date, at: slot)
        creationBounds.include(date)
    }

    func setLocation(_ location: Location?, at slot: Int) {
        let settled = ownSettledColumns()
        self[.located, slot] = location != nil
        let absent = AbsentNumber.value
        Self.set(location?.latitude ?? absent, in: &settled.latitude, at: slot, absent: absent)
        Self.set(location?.longitude ?? absent, in: &settled.longitude, at: slot, absent: absent)
        Self.set(location?.altitude ?? absent, in: &settled.altitude, at: slot, absent: absent)
        // A location is read from the latitude column and the longitude column. So if one of the two columns has
        // values, the other must have values too.
        if location != nil, settled.latitude.isEmpty { settled.latitude = Self.column(absent) }
        if location != nil, settled.longitude.isEmpty { settled.longitude = Self.column(absent) }
    }

    private static func set(_ value: Double, in column: inout [Double], at slot: Int, absent: Double) {
        if column.isEmpty {
            if value.bitPattern == absent.bitPattern { return }
            column = self.column(absent)
        }
        column[slot] = value
    }

    private static func set(_ value: UInt64, in column: inout [UInt64], at slot: Int, absent: UInt64) {
        if column.isEmpty {
            if value == absent { return }
            column = self.column(absent)
        }
        column[slot] = value
    }

    /// A new prototype is compared with this many existing prototypes, the newest ones. A prototype contains the
    /// metadata values that many files have in common. Files that are added together mostly have the same prototypes.
    /// If they do not, comparing each new prototype with all others would take quadratic time.
    private static let searchedPrototypeCount = 48

    func writeHead(_ head: ImageHead, at slot: Int) {
        let settled = ownSettledColumns()
        let size = head.displaySize
        settled.width[slot] = Int32(clamping: size.width)
        settled.height[slot] = Int32(clamping: size.height)
        let packedDate = PackedCaptureDate(head.captureDate)
        settled.captureClock[slot] = packedDate?.clock ?? 0
        settled.captureZone[slot] = packedDate?.zone ?? PackedCaptureDate.absentZone
        let preview = head.preview?.byteRange ?? 0..<0
        let fits =
            packedDate != nil && Int(width[slot]) == size.width && Int(height[slot]) == size.height
            && preview.lowerBound >= 0 && preview.upperBound <= Int(UInt32.max)
            && head.previews.count <= 1 && head.preview?.container == nil
        if head.preview != nil, fits {
            if settled.previewStart.isEmpty { settled.previewStart = Self.column(0) }
            if settled.previewCount.isEmpty { settled.previewCount = Self.column(0) }
            settled.previewStart[slot] = UInt32(preview.lowerBound)
            settled.previewCount[slot] = UInt32(preview.count)
        }
        setDetail(\.head, to: fits ? nil : head, at: slot)
        settled.prototype[slot] = prototypeIndex(head, fits: fits, settled)
    }

    private func prototypeIndex(_ head: ImageHead, fits: Bool, _ settled: SettledColumns) -> UInt16 {
        var prototype = head
        prototype.storedSize = .zero
        prototype.captureDate = nil
        if fits, !prototype.previews.isEmpty {
            prototype.previews[0].byteRange = 0..<0
        } else {
            // The prototype (the metadata that many files have in common) is stored without previews, for one of two
            // reasons:
            //
            // - The head of this file has no previews.
            // - The head does not fit into the columns. The row's details then store the whole head, with its previews.
            prototype.previews = []
        }
        if let found = settled.prototypes.suffix(Self.searchedPrototypeCount).lastIndex(of: prototype) {
            return UInt16(found)
        }
        // A prototype contains the values that the heads of many files have in common. When rows are rewritten, some
        // prototypes are no longer used. The unused prototypes are removed when the number of prototypes has reached
        // its limit.
        if settled.prototypes.count == Int(UInt16.max) { dropUnusedPrototypes(settled) }
        settled.prototypes.append(prototype)
        return UInt16(settled.prototypes.count - 1)
    }

    private func dropUnusedPrototypes(_ settled: SettledColumns) {
        var kept: [UInt16: UInt16] = [:]
        var remaining: [ImageHead] = []
        for slot in 0..<count {
            let old = settled.prototype[slot]
            if kept[old] == nil {
                kept[old] = UInt16(remaining.count)
                remaining.append(settled.prototypes[Int(old)])
            }
            settled.prototype[slot] = kept[old] ?? 0
        }
        settled.prototypes = remaining
    }

    /// Stores the resources of a row. The row's media type must have been written before this call.
    ///
    /// - Parameter name: the asset's original filename.
    func writeResources(_ resources: [AssetResource], named name: String, at slot: Int) {
        let settled = ownSettledColumns()
        settled.folder[slot] = SettledColumns.noFolder
        if resources.count == 1, resources[0].type == mainType(at: slot), let path = resources[0].filePath,
            let parts = FilePath(path).parts, parts.name.elementsEqual(name.utf8),
            let index = Self.folderIndex(parts.folder, settled)
        {
            settled.folder[slot] = index
            setDetail(\.resources, to: nil, at: slot)
        } else {
            setDetail(\.resources, to: resources, at: slot)
        }
    }

    /// Stores the path of a row's file in the columns. The row must have no other resource. The name of the file
    /// becomes the original filename of the asset.
    ///
    /// - Returns: false if the columns cannot describe a file with this path. In this case, nothing has been written.
    func writeFile(_ path: FilePath, at slot: Int) -> Bool {
        let settled = ownSettledColumns()
        guard let parts = path.parts, let index = Self.folderIndex(parts.folder, settled) else { return false }
        settled.folder[slot] = index
        settled.filenames.set(path.lastComponent, at: slot)
        return true
    }

    private static func folderIndex(_ path: String, _ settled: SettledColumns) -> UInt16? {
        let path = FilePath(path)
        if let found = settled.folders.lastIndex(where: { FilePath($0) == path }) { return UInt16(found) }
        guard settled.folders.count < Int(SettledColumns.noFolder) else { return nil }
        settled.folders.append(path.text)
        return UInt16(settled.folders.count - 1)
    }
}
