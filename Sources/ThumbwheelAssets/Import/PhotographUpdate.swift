import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// The change of an asset whose files are not as they were at their last import. Properties that a user has set are kept,
/// and so is a rendering that was made in the library.
struct PhotographUpdate {
    private let known: AssetFacts
    private let photograph: ImportedPhotograph
    private let walk: FolderWalk
    private(set) var facts: AssetFacts
    private(set) var hasNewPixels = false
    /// The path that the library has for the file that the asset is named after.
    private let formerPath: FilePath
    private var hasMoved: Bool { formerPath != photograph.file.path }

    init(_ known: AssetFacts, _ photograph: ImportedPhotograph, _ walk: FolderWalk) {
        self.known = known
        self.photograph = photograph
        self.walk = walk
        facts = known
        formerPath =
            known.resources.first { $0.type == .photo }?.filePath.map(FilePath.init) ?? photograph.file.path
    }

    var hasChanged: Bool { hasNewPixels || facts != known }

    /// Whether anything has changed but the paths of the files and the name that follows them.
    var isChangedBesidesPath: Bool {
        var (facts, known) = (facts, known)
        facts.originalFilename = known.originalFilename
        guard facts.resources.map(\.type) == known.resources.map(\.type) else { return true }
        facts.resources = known.resources
        known.fileDate = facts.fileDate
        return hasNewPixels || facts != known
    }

    mutating func apply(assuming timeZone: TimeZone, _ newPicture: () -> PictureVersion) {
        let new = photograph.facts
        let oldHead = known.adjustment?.originalHead ?? known.head
        // Bytes that were carried elsewhere have got another date, which says nothing about the photograph.
        let isCarried = hasMoved && known.mark.sample == photograph.mark.sample
        if !isCarried, known.creationDate == oldHead.captureDate?.date(assuming: timeZone) ?? known.fileDate {
            facts.creationDate = new.creationDate
        }
        facts.location = known.location ?? new.location
        facts.mediaSubtypes = known.mediaSubtypes.subtracting(.readFromPhotographs).union(new.mediaSubtypes)
        facts.burstIdentifier = known.burstIdentifier ?? new.burstIdentifier
        if known.burstIdentifier == nil { facts.representsBurst = new.representsBurst }
        facts.mark = photograph.mark
        facts.rename(formerPath, photograph.file.path)
        facts.fileDate = keptDates.reduce(photograph.newestDate, max)
        let originalPicture = isOriginalUnchanged ? known.adjustment?.originalPicture ?? known.picture : newPicture()
        if keepsRendering {
            facts.adjustment?.originalHead = photograph.original.head
            facts.adjustment?.originalFileSize = photograph.original.fileSize
            facts.adjustment?.originalPicture = originalPicture
            facts.resources =
                photograph.resources.filter { !Self.isOfAdjustment($0) } + keptCompanions
                + known.resources.filter { Self.isOfAdjustment($0) }
        } else {
            (facts.head, facts.fileSize, facts.adjustment) = (new.head, new.fileSize, new.adjustment)
            facts.adjustment?.originalPicture = originalPicture
            facts.resources = new.resources + keptCompanions
            let isShownUnchanged =
                isOriginalUnchanged && (photograph.rendering == nil || known.fileDate == facts.fileDate)
            hasNewPixels =
                !isShownUnchanged
                || !showsSameResource
        }
        let isLive = facts.resources.contains { $0.type == .pairedVideo }
        let wasLive = known.resources.contains { $0.type == .pairedVideo }
        if isLive { facts.mediaSubtypes.insert(.photoLive) } else if wasLive { facts.mediaSubtypes.remove(.photoLive) }
    }

    /// Whether the asset shows the same file as before. Files that move with their photograph have other paths.
    private var showsSameResource: Bool {
        let shown = AssetFacts.presentedResource(of: facts.resources)
        let formerlyShown = AssetFacts.presentedResource(of: known.resources)
        return hasMoved ? shown?.type == formerlyShown?.type : shown == formerlyShown
    }

    /// Whether the asset shows a rendering that no import has found.
    private var keepsRendering: Bool {
        guard known.adjustment != nil else { return false }
        let rendering = known.resources.first { $0.type == .fullSizePhoto }?.filePath.map { FileKinship(FilePath($0)) }
        return rendering?.isRendering != true || rendering?.key != FileKinship(formerPath).key
    }

    /// Whether the file that the asset is named after is as it was. The date that the library keeps is that of the asset's
    /// newest file, so the files that the asset had before count.
    private var isOriginalUnchanged: Bool {
        // An asset is found under another path by its bytes, or by its node and date.
        if hasMoved { return photograph.original.fileSize == known.adjustment?.originalFileSize ?? known.fileSize }
        let paths = Set(known.resources.compactMap { $0.filePath.map(FilePath.init) })
        let dates =
            photograph.companions.filter { paths.contains($0.file.path) }.map(\.file.modificationDate)
            + keptDates
        let date = photograph.file.modificationDate
        return photograph.original.fileSize == known.adjustment?.originalFileSize ?? known.fileSize
            && (known.fileDate == date || known.fileDate == dates.reduce(date, max))
    }

    /// Files of the asset that the import did not look for.
    private var keptCompanions: [AssetResource] {
        let kinds = Set(photograph.companions.map(\.kind))
        return known.resources.filter { resource in
            guard resource.type != .photo, !Self.isOfAdjustment(resource), !kinds.contains(resource.type) else {
                return false
            }
            guard let path = resource.filePath.map(FilePath.init) else { return true }
            // A file that stays behind when its photograph moves becomes an asset of its own, or another's.
            if hasMoved, walk.wasSearched(path) { return false }
            return !walk.isGone(path)
        }
    }

    /// The modification dates of those files.
    private var keptDates: [Date] {
        keptCompanions.compactMap { resource in
            resource.filePath.flatMap { try? FileStatus(path: $0) }?.modificationDate
        }
    }

    private static func isOfAdjustment(_ resource: AssetResource) -> Bool {
        resource.type == .fullSizePhoto || resource.type == .adjustmentData
    }
}
