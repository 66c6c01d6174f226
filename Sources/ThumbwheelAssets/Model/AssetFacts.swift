import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// All metadata of one asset except its identifier. It can be written to a row of the library's columns and read from
/// it.
struct AssetFacts: Sendable {
    /// The format of an asset's adjustment data, with the metadata that is needed to revert the asset to its original.
    struct Adjustment: Sendable, Equatable {
        var formatIdentifier: String
        var formatVersion: String
        // Most assets have no adjustment. With the head inside, the metadata of each would take half as much again.
        @Boxed var originalHead: ImageHead
        var originalFileSize: Int
        /// The version of the original picture; nil for an asset outside any library.
        var originalPicture: PictureVersion?
    }

    var contentVersion: UInt32 = 1
    /// The version of the shown picture; nil for an asset outside any library.
    var picture: PictureVersion?
    var mediaType: AssetMediaType
    var mediaSubtypes: AssetMediaSubtype = []
    var head: ImageHead
    var resources: [AssetResource]
    var fileSize: Int
    var originalFilename: String
    var creationDate: Date?
    var modificationDate: Date?
    var addedDate: Date?
    var location: Location?
    var duration: Double = 0
    var isFavorite = false
    var isHidden = false
    var burstIdentifier: String?
    var burstSelectionTypes: AssetBurstSelectionType = []
    var representsBurst = false
    var sourceType: AssetSourceType = .userLibrary
    var adjustment: Adjustment?
    /// The date on which the asset was moved to Recently Deleted; nil if it is not there.
    var trashedDate: Date?
    /// The latest modification date that the asset's files had when they were imported. A later import compares it with
    /// the dates that the files have at that time, to find out whether a file has changed.
    var newestFileDate: Date?
    /// The date up to which renderings (edited pictures) in files do not belong to the asset: an edit in this library
    /// has replaced them, or was reverted together with them. Imports do not add them again. Nil if there are none.
    var ignoredRenderingDate: Date?

    /// The data by which an import recognizes the photograph's file if it was moved or renamed. It does not describe
    /// the asset, so `==` does not compare it.
    var mark = FileMark()

    /// Returns the resource that shows the present state of the asset, as `ImageVersion.current` does.
    static func currentResource(of resources: [AssetResource]) -> AssetResource? {
        for kind in [AssetResourceType.fullSizePhoto, .photo, .fullSizeVideo, .video, .audio] {
            if let resource = resources.first(where: { $0.type == kind }) { return resource }
        }
        return resources.first
    }

    /// Returns the asset's main resource: the original photograph, or the original video of an asset that has no
    /// photograph. Nil if there is neither. Imports recognize an asset by the file of this resource.
    static func mainResource(of resources: [AssetResource]) -> AssetResource? {
        mainIndex(of: resources).map { resources[$0] }
    }

    /// Returns the index of the asset's main resource: the original photograph, or the original video of an asset that
    /// has no photograph. Nil if there is neither.
    static func mainIndex(of resources: [AssetResource]) -> Int? {
        resources.firstIndex { $0.type == .photo } ?? resources.firstIndex { $0.type == .video }
    }
}

extension AssetFacts {
    /// A copy of this metadata without impossible numbers. Each number outside the range of real files is replaced by
    /// the nearest number in that range. Code can then calculate with the numbers without checking for overflow.
    var bounded: AssetFacts {
        var facts = self
        facts.head = head.bounded
        facts.fileSize = ImageHead.bounded(fileSize, to: ImageHead.byteCountLimit)
        if let adjustment {
            facts.adjustment?.originalHead = adjustment.originalHead.bounded
            facts.adjustment?.originalFileSize = ImageHead.bounded(
                adjustment.originalFileSize, to: ImageHead.byteCountLimit)
        }
        return facts
    }
}

extension AssetFacts: Equatable {
    /// Compares values bit by bit, so that a date that is NaN (not a number) equals itself, and two Unicode spellings
    /// of a name differ.
    static func == (one: AssetFacts, other: AssetFacts) -> Bool {
        one.contentVersion == other.contentVersion && one.mediaType == other.mediaType
            && one.mediaSubtypes == other.mediaSubtypes && one.fileSize == other.fileSize
            && one.isFavorite == other.isFavorite && one.isHidden == other.isHidden
            && one.burstSelectionTypes == other.burstSelectionTypes && one.representsBurst == other.representsBurst
            && one.sourceType == other.sourceType && one.numbers == other.numbers
            && isSame(one.originalFilename, other.originalFilename)
            && isSame(one.burstIdentifier, other.burstIdentifier) && one.head == other.head
            && one.resources == other.resources && one.adjustment == other.adjustment
    }

    private var numbers: [UInt64?] {
        [creationDate, modificationDate, addedDate, trashedDate, newestFileDate, ignoredRenderingDate].map {
            $0?.timeIntervalSinceReferenceDate.bitPattern
        } + [location?.latitude, location?.longitude, location?.altitude, duration].map { $0?.bitPattern }
    }

    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }
}
