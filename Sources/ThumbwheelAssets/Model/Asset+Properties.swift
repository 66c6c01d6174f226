import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension Asset {
    /// Reads a property from the library's columns or, if the asset is outside any library, from the metadata that the
    /// asset itself stores.
    @inline(__always)
    private func read<Value>(_ column: (ChunkColumns, Int) -> Value, _ fact: (AssetFacts) -> Value) -> Value {
        // The cases of `storage` are examined in place. Using `original` would make a copy and change a reference
        // count.
        switch storage {
        case .original(.detached(let detached)): fact(detached.facts)
        case .original(.row(let chunk, let slot)): column(chunk.columns, Int(slot))
        case .renamed(let renamed):
            switch renamed.original {
            case .detached(let detached): fact(detached.facts)
            case .row(let chunk, let slot): column(chunk.columns, Int(slot))
            }
        }
    }

    public var id: AssetIdentifier { identifier }

    /// The identifier as text; see <doc:Semantics#Identifiers>.
    public var localIdentifier: String { identifier.localIdentifier }

    /// The version of the asset's pixels: a number that rises when the pixels change.
    ///
    /// The host program states the version of each asset that it adds itself, and raises it when the pixels change. The
    /// library raises the version when it finds or makes a change of the pixels, for example by an import or an edit.
    /// If an asset was deleted for good and its identifier is used again, its versions may start again at a lower
    /// number. So use `pictureVersion`, which is never repeated, to identify a picture for longer than an asset exists.
    public var contentVersion: UInt32 { read({ $0.contentVersion(at: $1) }, { $0.contentVersion }) }

    var currentPictureVersion: PictureVersion {
        read({ $0.picture(at: $1) }, { $0.picture ?? PictureVersion(contentVersion: $0.contentVersion) })
    }

    var originalPictureVersion: PictureVersion? {
        read({ $0.details[$1]?.adjustment?.originalPicture }, { $0.adjustment?.originalPicture })
    }

    /// The media type of the asset.
    public var mediaType: AssetMediaType { read({ $0.mediaType(at: $1) }, { $0.mediaType }) }

    /// The media subtypes, which describe the asset more precisely.
    public var mediaSubtypes: AssetMediaSubtype { read({ $0.mediaSubtypes(at: $1) }, { $0.mediaSubtypes }) }

    /// The metadata at the start of the file: its format, size, orientation and dates. With it, the asset can be
    /// rendered without reading this part of the file again.
    public var head: ImageHead { read({ $0.head(at: $1) }, { $0.head }) }

    /// The type that was recognized from the bytes. The name of the file is not considered.
    public var contentType: ContentType { read({ $0.prototype(at: $1).contentType }, { $0.head.contentType }) }

    /// The size in pixels, in display orientation.
    public var pixelSize: PixelSize { read({ $0.pixelSize(at: $1) }, { $0.head.displaySize }) }

    /// The width in pixels, in display orientation.
    public var pixelWidth: Int { pixelSize.width }

    /// The height in pixels, in display orientation.
    public var pixelHeight: Int { pixelSize.height }

    /// The resources that belong to the asset. Each states where its bytes are.
    public var resources: [AssetResource] { read({ $0.resources(at: $1) }, { $0.resources }) }

    /// The resource that shows the present state of the asset. It is the rendering if the asset is adjusted, and
    /// otherwise the photograph or video.
    public var resource: AssetResource {
        let resources = resources
        return AssetFacts.currentResource(of: resources) ?? .bytes([])
    }

    /// The length of the shown resource in bytes.
    public var fileSize: Int { read({ Int($0.fileSize[$1]) }, { $0.fileSize }) }

    /// The name that the file had when it was imported, without its folder.
    public var originalFilename: String { read({ $0.filenames.text(at: $1) }, { $0.originalFilename }) }

    /// The date on which the photograph was taken; nil if it is unknown.
    public var creationDate: Date? { read({ AbsentNumber.date($0.creation[$1]) }, { $0.creationDate }) }

    /// The date of the last change of the asset or its properties.
    public var modificationDate: Date? { read({ AbsentNumber.date($0.modification(at: $1)) }, { $0.modificationDate }) }

    /// The date on which the asset was added to its library.
    public var addedDate: Date? { read({ AbsentNumber.date($0.added[$1]) }, { $0.addedDate }) }

    /// The place where the photograph was taken; nil if it is unknown.
    public var location: Location? { read({ $0.location(at: $1) }, { $0.location }) }

    /// The latitude in degrees north; nil without a location. Predicates and sort descriptors can use it.
    public var latitude: Double? { location?.latitude }

    /// The longitude in degrees east; nil without a location. Predicates and sort descriptors can use it.
    public var longitude: Double? { location?.longitude }

    /// The duration in seconds; 0 for photographs.
    public var duration: Double { read({ $0.duration(at: $1) }, { $0.duration }) }

    /// Whether the user has marked the asset as a favourite.
    public var isFavorite: Bool { read({ $0[.favorite, $1] }, { $0.isFavorite }) }

    /// Whether the asset is hidden from ordinary fetches; see <doc:Semantics#Fetching>.
    public var isHidden: Bool { read({ $0[.hidden, $1] }, { $0.isHidden }) }

    /// The identifier that all members of a burst have in common; nil for other assets. See <doc:Semantics#Bursts>.
    public var burstIdentifier: String? { read({ $0.burstIdentifier(at: $1) }, { $0.burstIdentifier }) }

    /// Tells whether the camera, the user, or both have picked the asset from its burst. Ordinary fetches find the
    /// representative of a burst and the members that the user has picked.
    public var burstSelectionTypes: AssetBurstSelectionType {
        read({ $0.burstSelectionTypes(at: $1) }, { $0.burstSelectionTypes })
    }

    /// Whether the asset represents its burst in ordinary fetches; see <doc:Semantics#Bursts>.
    ///
    /// One member of each burst is the representative. The host program chooses it, except for imported bursts, for
    /// which the import chooses it. If the representative is deleted, the library does not choose another one. The
    /// other members can still be found with `fetchAssets(withBurstIdentifier:)`.
    public var representsBurst: Bool { read({ $0[.representsBurst, $1] }, { $0.representsBurst }) }

    /// The kind of library from which the asset comes.
    public var sourceType: AssetSourceType {
        read({ AssetSourceType(rawValue: $0.sourceType[$1]) }, { $0.sourceType })
    }

    /// Whether the asset shows a rendering (an edited picture) instead of its photograph; see
    /// <doc:Semantics#Adjustments>.
    public var hasAdjustments: Bool { read({ $0[.adjusted, $1] }, { $0.adjustment != nil }) }

    /// The format identifier of the asset's adjustment data; nil if the asset has no adjustment. It shows which program
    /// made the adjustment.
    public var adjustmentFormatIdentifier: String? {
        read({ $0.details[$1]?.adjustment?.formatIdentifier }, { $0.adjustment?.formatIdentifier })
    }

    /// Whether the asset is in Recently Deleted; see <doc:Semantics#Recently-Deleted>.
    public var isRecentlyDeleted: Bool { read({ $0[.trashed, $1] }, { $0.trashedDate != nil }) }

    /// The date on which the asset was moved to Recently Deleted; nil if it is not there.
    public var trashedDate: Date? { read({ $0.trashedDate(at: $1) }, { $0.trashedDate }) }

    /// Whether the asset has a camera's raw format, or is a JPEG with an accompanying RAW file.
    public var isRAW: Bool { RowTraits.isRAW(contentType, resources) }

    /// Whether the asset is an animation: more than one frame, in a format for animations.
    public var isAnimated: Bool { RowTraits.isAnimated(head) }

    /// The way in which the asset is played. A live photo whose shown file is an animation has the style
    /// `.videoLooping`.
    public var playbackStyle: AssetPlaybackStyle {
        switch mediaType {
        case .video: .video
        case .image:
            switch (isLivePhoto, isAnimated) {
            case (true, true): .videoLooping
            case (true, false): .livePhoto
            case (false, true): .imageAnimated
            case (false, false): .image
            }
        case .unknown, .audio: .unsupported
        }
    }

    /// Whether the asset allows an operation. Only assets from the user's own library allow operations.
    public func canPerform(_ operation: AssetEditOperation) -> Bool {
        guard sourceType.contains(.userLibrary) else { return false }
        return switch operation {
        case .content: mediaType == .image
        case .properties, .delete: true
        }
    }

    /// Whether the pixels can be read without a network; see <doc:Semantics#Asset-properties>.
    public var isLocallyAvailable: Bool {
        read(
            { $0.isLocallyAvailable(at: $1) },
            { AssetFacts.currentResource(of: $0.resources)?.isLocallyAvailable ?? true })
    }
}
