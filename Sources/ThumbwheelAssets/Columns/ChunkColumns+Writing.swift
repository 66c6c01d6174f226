import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension ChunkColumns {
    /// Writes all facts of an asset into a row.
    mutating func write(_ facts: AssetFacts, _ identifier: AssetIdentifier, at slot: Int) {
        high[slot] = identifier.high
        low[slot] = identifier.low
        contentVersion[slot] = facts.contentVersion
        mediaType[slot] = UInt8(facts.mediaType.rawValue)
        sourceType[slot] = facts.sourceType.rawValue
        setCreationDate(AbsentNumber.number(facts.creationDate), at: slot)
        modification[slot] = AbsentNumber.number(facts.modificationDate)
        added[slot] = AbsentNumber.number(facts.addedDate)
        fileSize[slot] = Int64(facts.fileSize)
        Self.set(UInt64(facts.mediaSubtypes.rawValue), in: &subtypes, at: slot, absent: 0)
        Self.set(facts.duration, in: &duration, at: slot, absent: 0)
        Self.set(AbsentNumber.number(facts.fileDate), in: &fileDate, at: slot, absent: AbsentNumber.value)
        filenames.set(facts.originalFilename, at: slot)
        bursts.set(facts.burstIdentifier ?? "", at: slot)
        setLocation(facts.location, at: slot)
        details[slot] = nil
        writeHead(facts.head, at: slot)
        writeResources(facts, at: slot)
        setDetail(\.adjustment, to: facts.adjustment, at: slot)
        setDetail(\.trashed, to: facts.trashedDate?.timeIntervalSinceReferenceDate, at: slot)
        writeFlags(facts, at: slot)
        count = max(count, slot + 1)
    }

    private mutating func writeFlags(_ facts: AssetFacts, at slot: Int) {
        self[.alive, slot] = true
        self[.favorite, slot] = facts.isFavorite
        self[.hidden, slot] = facts.isHidden
        self[.trashed, slot] = facts.trashedDate != nil
        self[.foreign, slot] = !facts.sourceType.contains(.userLibrary)
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

    mutating func setCreationDate(_ date: Double, at slot: Int) {
        creation[slot] = date
        if date > newestCreation {
            newestCreation = date
        } else if date.isNaN, !AbsentNumber.isAbsent(date) {
            // A date that is no number sorts after all that are.
            newestCreation = Double(bitPattern: .max >> 1)
        }
    }

    mutating func setLocation(_ location: Location?, at slot: Int) {
        self[.located, slot] = location != nil
        let absent = AbsentNumber.value
        Self.set(location?.latitude ?? absent, in: &latitude, at: slot, absent: absent)
        Self.set(location?.longitude ?? absent, in: &longitude, at: slot, absent: absent)
        Self.set(location?.altitude ?? absent, in: &altitude, at: slot, absent: absent)
        // The columns that a location is read from exist together.
        if location != nil, latitude.isEmpty { latitude = Self.column(absent) }
        if location != nil, longitude.isEmpty { longitude = Self.column(absent) }
    }

    mutating func setDetail<Value>(_ detail: WritableKeyPath<RowDetails, Value?>, to value: Value?, at slot: Int) {
        if value == nil, details[slot] == nil { return }
        details[slot, default: RowDetails()][keyPath: detail] = value
        if details[slot]?.isEmpty == true { details[slot] = nil }
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

    /// The newest of the prototypes are looked at: files that come together are alike, and a search without an end would
    /// be quadratic where none are.
    private static let searchedPrototypeCount = 48

    mutating func writeHead(_ head: ImageHead, at slot: Int) {
        let size = head.displaySize
        width[slot] = Int32(clamping: size.width)
        height[slot] = Int32(clamping: size.height)
        let packedDate = PackedCaptureDate(head.captureDate)
        captureClock[slot] = packedDate?.clock ?? 0
        captureZone[slot] = packedDate?.zone ?? PackedCaptureDate.absentZone
        let preview = head.preview?.byteRange ?? 0..<0
        let fits =
            packedDate != nil && Int(width[slot]) == size.width && Int(height[slot]) == size.height
            && preview.lowerBound >= 0 && preview.upperBound <= Int(UInt32.max)
        if head.preview != nil, fits {
            if previewStart.isEmpty { previewStart = Self.column(0) }
            if previewCount.isEmpty { previewCount = Self.column(0) }
            previewStart[slot] = UInt32(preview.lowerBound)
            previewCount[slot] = UInt32(preview.count)
        }
        setDetail(\.head, to: fits ? nil : head, at: slot)
        prototype[slot] = prototypeIndex(head)
    }

    private mutating func prototypeIndex(_ head: ImageHead) -> UInt16 {
        var prototype = head
        prototype.storedSize = .zero
        prototype.captureDate = nil
        prototype.preview?.byteRange = 0..<0
        if let found = prototypes.suffix(Self.searchedPrototypeCount).lastIndex(of: prototype) { return UInt16(found) }
        // Rows that were rewritten leave prototypes behind; before the number of these overflows, they are dropped.
        if prototypes.count == Int(UInt16.max) { dropUnusedPrototypes() }
        prototypes.append(prototype)
        return UInt16(prototypes.count - 1)
    }

    private mutating func dropUnusedPrototypes() {
        var kept: [UInt16: UInt16] = [:]
        var remaining: [ImageHead] = []
        for slot in 0..<count {
            let old = prototype[slot]
            if kept[old] == nil {
                kept[old] = UInt16(remaining.count)
                remaining.append(prototypes[Int(old)])
            }
            prototype[slot] = kept[old] ?? 0
        }
        prototypes = remaining
    }

    mutating func writeResources(_ facts: AssetFacts, at slot: Int) {
        folder[slot] = Self.noFolder
        if facts.resources.count == 1, facts.resources[0].kind == .photo, let path = facts.resources[0].filePath,
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            path.utf8[path.utf8.index(after: slash)...].elementsEqual(facts.originalFilename.utf8),
            let index = folderIndex(String(path[..<slash]))
        {
            folder[slot] = index
            setDetail(\.resources, to: nil, at: slot)
        } else {
            setDetail(\.resources, to: facts.resources, at: slot)
        }
    }

    private mutating func folderIndex(_ path: String) -> UInt16? {
        if let found = folders.lastIndex(of: path) { return UInt16(found) }
        guard folders.count < Int(Self.noFolder) else { return nil }
        folders.append(path)
        return UInt16(folders.count - 1)
    }
}
