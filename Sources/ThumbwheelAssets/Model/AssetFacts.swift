import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// All that is known of one asset but its identifier: what a row of the columns is written from and read into.
struct AssetFacts: Sendable, Equatable {
    /// What an adjusted asset needs to find its way back (row 174).
    struct Adjustment: Sendable, Equatable {
        var formatIdentifier: String
        var formatVersion: String
        var originalHead: ImageHead
        var originalFileSize: Int
    }

    var contentVersion: UInt32 = 1
    var mediaType: MediaType
    var mediaSubtypes: MediaSubtypes = []
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
    var burstSelectionTypes: BurstSelectionTypes = []
    var representsBurst = false
    var sourceType: AssetSourceTypes = .userLibrary
    var adjustment: Adjustment?
    /// When the asset went to Recently Deleted; nil for one that is not there.
    var trashedDate: Date?
    /// The modification date of the imported file, by which a later import tells whether it changed.
    var fileDate: Date?

    /// The resource that shows the asset as it is now.
    static func presentedResource(of resources: [AssetResource]) -> AssetResource? {
        for kind in [AssetResource.Kind.fullSizePhoto, .photo, .video, .audio] {
            if let resource = resources.first(where: { $0.kind == kind }) { return resource }
        }
        return resources.first
    }
}
