import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// The change of an asset whose files have changed since their last import. Properties that a user has set are kept. A
/// rendering (an edited picture) that was made in this library is kept too.
struct PhotographUpdate {
    private let known: AssetFacts
    /// The photograph as this import has found it, without the renderings that do not belong to the asset any more.
    let photograph: ImportedPhotograph
    private let walk: FolderWalk
    private(set) var facts: AssetFacts
    private(set) var hasNewPixels = false
    /// The former path of the asset's main file (its photograph or video), according to the library.
    private let formerPath: FilePath
    private var hasMoved: Bool { formerPath != photograph.file.path }

    init(_ known: AssetFacts, _ photograph: ImportedPhotograph, _ walk: FolderWalk) {
        self.known = known
        let isIgnored = known.ignoredRenderingDate.map { photograph.newestRenderingDate ?? $0 <= $0 } ?? false
        self.photograph = isIgnored ? photograph.withoutAdjustment : photograph
        self.walk = walk
        facts = known
        formerPath =
            AssetFacts.mainResource(of: known.resources)?.filePath.map(FilePath.init) ?? photograph.file.path
    }

    var hasChanged: Bool { hasNewPixels || facts != known }

    /// Whether anything has changed in addition to the paths of the files and the original filename. If not, the import
    /// reports a moved asset only as moved, and not as changed.
    var isChangedBesidesPath: Bool {
        var (facts, known) = (facts, known)
        facts.originalFilename = known.originalFilename
        guard facts.resources.map(\.type) == known.resources.map(\.type) else { return true }
        facts.resources = known.resources
        known.newestFileDate = facts.newestFileDate
        return hasNewPixels || facts != known
    }

    mutating func apply(assuming timeZone: TimeZone, _ newPicture: () -> PictureVersion) {
        let new = photograph.facts
        let oldHead = known.adjustment?.originalHead ?? known.head
        // A creation date that no user has changed comes from the file: it is the capture date, or the file's
        // modification date if there is no capture date. It is now taken from the new file. It is kept if the file was
        // moved and its first and last bytes are the same: the move may have changed the modification date, but not the
        // time at which the photograph was taken.
        let isCarried = hasMoved && known.mark.sample == photograph.mark.sample
        if !isCarried, known.creationDate == oldHead.captureDate?.date(assuming: timeZone) ?? known.newestFileDate {
            facts.creationDate = new.creationDate
        }
        facts.location = known.location ?? new.location
        facts.mediaSubtypes = known.mediaSubtypes.subtracting(.readFromPhotographs).union(new.mediaSubtypes)
        facts.burstIdentifier = known.burstIdentifier ?? new.burstIdentifier
        if known.burstIdentifier == nil { facts.representsBurst = new.representsBurst }
        facts.mark = photograph.mark
        facts.rename(formerPath, photograph.file.path)
        let files = keepsRendering ? photograph.withoutAdjustment : photograph
        facts.newestFileDate = keptDates.reduce(files.newestDate, max)
        if keepsRendering, let date = photograph.newestRenderingDate {
            // When the rendering of this library is reverted, the phone's one must not take its place.
            facts.ignoredRenderingDate = max(facts.ignoredRenderingDate ?? date, date)
        } else if photograph.rendering != nil {
            facts.ignoredRenderingDate = nil
        }
        let originalPicture = isOriginalUnchanged ? known.adjustment?.originalPicture ?? known.picture : newPicture()
        if keepsRendering {
            facts.adjustment?.originalHead = photograph.original.head
            facts.adjustment?.originalFileSize = photograph.original.fileSize
            facts.adjustment?.originalPicture = originalPicture
            facts.resources =
                files.resources + keptCompanions
                + known.resources.filter { Self.isOfAdjustment($0) }
        } else {
            (facts.head, facts.fileSize, facts.adjustment) = (new.head, new.fileSize, new.adjustment)
            (facts.mediaType, facts.duration) = (new.mediaType, new.duration)
            facts.adjustment?.originalPicture = originalPicture
            facts.resources = new.resources + keptCompanions
            let isShownUnchanged =
                isOriginalUnchanged && (photograph.rendering == nil || known.newestFileDate == facts.newestFileDate)
            hasNewPixels =
                !isShownUnchanged
                || !showsSameResource
        }
        let isLive = facts.resources.contains { $0.type == .pairedVideo }
        let wasLive = known.resources.contains { $0.type == .pairedVideo }
        if isLive { facts.mediaSubtypes.insert(.photoLive) } else if wasLive { facts.mediaSubtypes.remove(.photoLive) }
    }

    /// Whether the asset shows the same file as before. If not, it counts as having new pixels. An asset shows its
    /// original, or a rendering (an edited picture) in a file of its own.
    ///
    /// Usually, the paths of the two files are compared. If the original has moved, a rendering may have moved with it,
    /// so paths tell nothing. In this case, only the kinds of the two files are compared: both must be the original, or
    /// both the rendering.
    private var showsSameResource: Bool {
        let shown = AssetFacts.currentResource(of: facts.resources)
        let formerlyShown = AssetFacts.currentResource(of: known.resources)
        return hasMoved ? shown?.type == formerlyShown?.type : shown == formerlyShown
    }

    /// Whether the asset shows a rendering (an edited picture) that was made in this library, not found by an import.
    /// If so, the import replaces only the data of the original.
    private var keepsRendering: Bool {
        guard known.adjustment != nil else { return false }
        let rendering = known.resources.first { $0.type == .fullSizePhoto || $0.type == .fullSizeVideo }?.filePath
            .map { FileKinship(FilePath($0)) }
        return rendering?.isRendering != true || rendering?.key != FileKinship(formerPath).key
    }

    /// Whether the asset's main file (its photograph or video) is unchanged according to its size and modification
    /// date. The library stores only the newest date of all the asset's files at the last import. So the size must be
    /// the same, and one of these conditions must hold:
    ///
    /// - The main file has the stored date.
    /// - The newest date of all the asset's files is still the stored date. Then none of the files has been written
    ///   since.
    private var isOriginalUnchanged: Bool {
        let paths = Set(known.resources.compactMap { $0.filePath.map(FilePath.init) })
        if hasMoved {
            // The file was recognized by its inode number and its date, or by its size and its first and last bytes. If
            // these are not all of its bytes, it must have the stored date as well. With another date, it may be
            // another file of the same name.
            let (count, date) = (photograph.original.fileSize, photograph.file.modificationDate)
            guard count == known.adjustment?.originalFileSize ?? known.fileSize else { return false }
            if count <= FileMark.completeByteCount { return true }
            guard let newest = known.newestFileDate else { return false }
            return paths.count > 1 ? date <= newest : date == newest
        }
        let dates =
            photograph.companions.filter { paths.contains($0.file.path) }.map(\.file.modificationDate)
            + keptDates
        let date = photograph.file.modificationDate
        return photograph.original.fileSize == known.adjustment?.originalFileSize ?? known.fileSize
            && (known.newestFileDate == date || known.newestFileDate == dates.reduce(date, max))
    }

    /// The resources that the asset keeps although this import has not found their files, because these files may still
    /// exist. The main file (the photograph or video) and the files of an edit are not among them.
    private var keptCompanions: [AssetResource] {
        let kinds = Set(photograph.companions.map(\.kind))
        let main = AssetFacts.mainResource(of: known.resources)
        return known.resources.filter { resource in
            guard resource != main, !Self.isOfAdjustment(resource), !kinds.contains(resource.type) else {
                return false
            }
            guard let path = resource.filePath.map(FilePath.init) else { return true }
            // If the photograph has moved, a file that accompanied it at its old path no longer belongs to it. Such a
            // file is left out if the import has searched that path. If the file still exists, it becomes an asset of
            // its own or joins another photograph.
            if hasMoved, walk.wasSearched(path) { return false }
            return !walk.isGone(path)
        }
    }

    /// The modification dates of the files in `keptCompanions`, and of the files of a rendering that the asset keeps. A
    /// file whose date cannot be read, for example because the file no longer exists, is left out.
    private var keptDates: [Date] {
        let ofRendering = keepsRendering ? known.resources.filter { Self.isOfAdjustment($0) } : []
        return (keptCompanions + ofRendering).compactMap { resource in
            resource.filePath.flatMap { try? FileStatus(path: $0) }?.modificationDate
        }
    }

    private static func isOfAdjustment(_ resource: AssetResource) -> Bool {
        [.fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData].contains(resource.type)
    }
}
