import Foundation
import ThumbwheelCore

/// A photograph or a video as an import has found it: its main file, and the other files that belong to it.
struct ImportedPhotograph {
    let file: FolderWalk.File
    let original: Asset
    let contentIdentifier: String?
    let mark: FileMark
    /// The files other than the main file (the photograph or video itself), each with its kind.
    private(set) var companions: [(kind: AssetResourceType, file: FolderWalk.File)] = []
    /// The rendering (the edited picture) as an asset; nil if none of the files is a rendering.
    private(set) var rendering: Asset?
    /// Whether the photograph was chosen to represent its burst.
    var representsBurst = false

    init(_ file: FolderWalk.File, _ photograph: HeadReading.Photograph) {
        self.file = file
        original = photograph.asset
        contentIdentifier = photograph.contentIdentifier
        mark = photograph.mark
    }

    mutating func add(_ companion: FolderWalk.File, as kind: AssetResourceType) {
        companions.append((kind, companion))
    }

    mutating func addRendering(_ companion: FolderWalk.File, _ asset: Asset) {
        add(companion, as: original.mediaType == .video ? .fullSizeVideo : .fullSizePhoto)
        rendering = asset
    }

    /// The latest modification date of the renderings; nil if there are none.
    var newestRenderingDate: Date? {
        companions.filter { $0.kind.comesByAdjustment && $0.kind != .adjustmentData }.map(\.file.modificationDate).max()
    }

    /// The photograph without renderings and adjustment data.
    var withoutAdjustment: ImportedPhotograph {
        var photograph = self
        photograph.companions.removeAll { $0.kind.comesByAdjustment }
        photograph.rendering = nil
        return photograph
    }

    func has(_ kind: AssetResourceType) -> Bool { companions.contains { $0.kind == kind } }

    /// The latest modification date of all files. The next import compares it with the dates of the files to find out
    /// whether they have changed.
    var newestDate: Date { companions.reduce(file.modificationDate) { max($0, $1.file.modificationDate) } }

    var resources: [AssetResource] {
        original.resources + companions.map { AssetResource(type: $0.kind, source: .file(path: $0.file.path.text)) }
    }

    /// The metadata of the new asset.
    var facts: AssetFacts {
        var facts = original.facts
        facts.resources = resources
        facts.newestFileDate = newestDate
        facts.mark = mark
        facts.representsBurst = representsBurst
        if has(.pairedVideo) { facts.mediaSubtypes.insert(.photoLive) }
        if let rendering {
            facts.adjustment = AssetFacts.Adjustment(
                formatIdentifier: Self.adjustmentFormat, formatVersion: "", originalHead: facts.head,
                originalFileSize: facts.fileSize)
            facts.head = rendering.head
            facts.fileSize = rendering.fileSize
            facts.duration = rendering.duration
        }
        return facts
    }

    /// The thumbnail hash of the picture that the asset shows.
    var thumbHash: ThumbHash? { (rendering ?? original).thumbHash }

    /// The format identifier of every edit that is imported with a photograph from a phone. It is a constant, so that
    /// an edit has a format identifier even if its file with the adjustment data is missing.
    static let adjustmentFormat = "com.apple.photo"
}
