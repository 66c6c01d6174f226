import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension Asset {
    /// Reads a property, either from the library's columns or from the facts of an asset outside any library.
    @inline(__always)
    private func read<Value>(_ column: (ChunkColumns, Int) -> Value, _ fact: (AssetFacts) -> Value) -> Value {
        // Switches over `storage` in place, because `original` would make a copy and change a reference count.
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

    /// The version of the asset's pixels; it rises when they change.
    ///
    /// The host counts the versions of its assets. If the library notices a change that the host has not counted, it
    /// raises the version itself. If an identifier is used again after its asset was deleted for good, the versions may
    /// begin again at a lower number. `pictureVersion` never repeats.
    public var contentVersion: UInt32 { read({ $0.contentVersion(at: $1) }, { $0.contentVersion }) }

    var currentPictureVersion: PictureVersion {
        read({ $0.picture(at: $1) }, { $0.picture ?? PictureVersion(contentVersion: $0.contentVersion) })
    }

    var originalPictureVersion: PictureVersion? {
        read({ $0.details[$1]?.adjustment?.originalPicture }, { $0.adjustment?.originalPicture })
    }

    /// The kind of the asset.
    public var mediaType: AssetMediaType { read({ $0.mediaType(at: $1) }, { $0.mediaType }) }

    /// The finer kinds of the asset.
    public var mediaSubtypes: AssetMediaSubtype { read({ $0.mediaSubtypes(at: $1) }, { $0.mediaSubtypes }) }

    /// The facts that were read from the head of the file; they suffice to render the asset without reading the head
    /// again.
    public var head: ImageHead { read({ $0.head(at: $1) }, { $0.head }) }

    /// The type found in the bytes, regardless of the file's name.
    public var contentType: ContentType { read({ $0.prototype(at: $1).contentType }, { $0.head.contentType }) }

    /// The size in display orientation.
    public var pixelSize: PixelSize { read({ $0.pixelSize(at: $1) }, { $0.head.displaySize }) }

    /// The width in pixels, in display orientation.
    public var pixelWidth: Int { pixelSize.width }

    /// The height in pixels, in display orientation.
    public var pixelHeight: Int { pixelSize.height }

    /// The resources that belong to the asset, with the places of their bytes.
    public var resources: [AssetResource] { read({ $0.resources(at: $1) }, { $0.resources }) }

    /// The resource that shows the asset in its present state: the rendering if the asset is adjusted, otherwise the
    /// photograph.
    public var resource: AssetResource {
        let resources = resources
        return AssetFacts.presentedResource(of: resources) ?? .bytes([])
    }

    /// The length in bytes of the resource that shows the asset.
    public var fileSize: Int { read({ Int($0.fileSize[$1]) }, { $0.fileSize }) }

    /// The name of the file at import, without its folder.
    public var originalFilename: String { read({ $0.filenames.text(at: $1) }, { $0.originalFilename }) }

    /// When the photograph was taken; nil if that is unknown.
    public var creationDate: Date? { read({ AbsentNumber.date($0.creation[$1]) }, { $0.creationDate }) }

    /// When the asset or one of its properties changed last.
    public var modificationDate: Date? { read({ AbsentNumber.date($0.modification(at: $1)) }, { $0.modificationDate }) }

    /// When the asset was added to its library.
    public var addedDate: Date? { read({ AbsentNumber.date($0.added[$1]) }, { $0.addedDate }) }

    /// Where the photograph was taken; nil if that is unknown.
    public var location: Location? { read({ $0.location(at: $1) }, { $0.location }) }

    /// The latitude in degrees north; nil without a location. A key for predicates and sorting.
    public var latitude: Double? { location?.latitude }

    /// The longitude in degrees east; nil without a location. A key for predicates and sorting.
    public var longitude: Double? { location?.longitude }

    /// The duration in seconds; 0 for stills.
    public var duration: Double { read({ $0.duration(at: $1) }, { $0.duration }) }

    /// Whether the user has marked the asset as a favourite.
    public var isFavorite: Bool { read({ $0[.favorite, $1] }, { $0.isFavorite }) }

    /// Whether the asset is hidden from ordinary fetches; see <doc:Semantics#Fetching>.
    public var isHidden: Bool { read({ $0[.hidden, $1] }, { $0.isHidden }) }

    /// The identifier that all members of a burst share; nil for other assets. See <doc:Semantics#Bursts>.
    public var burstIdentifier: String? { read({ $0.burstIdentifier(at: $1) }, { $0.burstIdentifier }) }

    /// Who picked the asset from its burst: the camera, the user, or both. In addition to the burst's representative,
    /// ordinary fetches show only the user's picks.
    public var burstSelectionTypes: AssetBurstSelectionType {
        read({ $0.burstSelectionTypes(at: $1) }, { $0.burstSelectionTypes })
    }

    /// Whether the asset is the representative of its burst, which ordinary fetches show; see <doc:Semantics#Bursts>.
    ///
    /// The host chooses the representative, and each burst should have one. If the representative is deleted, the
    /// library does not choose another; the other members are then found with `fetchAssets(withBurstIdentifier:)`.
    public var representsBurst: Bool { read({ $0[.representsBurst, $1] }, { $0.representsBurst }) }

    /// The library that the asset comes from.
    public var sourceType: AssetSourceType {
        read({ AssetSourceType(rawValue: $0.sourceType[$1]) }, { $0.sourceType })
    }

    /// Whether the asset shows a rendering instead of its photograph; see <doc:Semantics#Adjustments>.
    public var hasAdjustments: Bool { read({ $0[.adjusted, $1] }, { $0.adjustment != nil }) }

    /// The identifier of the format of the adjustment's recipe; nil for an asset without an adjustment. The format
    /// tells which program made the adjustment.
    public var adjustmentFormatIdentifier: String? {
        read({ $0.details[$1]?.adjustment?.formatIdentifier }, { $0.adjustment?.formatIdentifier })
    }

    /// Whether the asset is in Recently Deleted; see <doc:Semantics#Recently-Deleted>.
    public var isRecentlyDeleted: Bool { read({ $0[.trashed, $1] }, { $0.trashedDate != nil }) }

    /// When the asset was moved to Recently Deleted; nil if it is not there.
    public var trashedDate: Date? { read({ $0.trashedDate(at: $1) }, { $0.trashedDate }) }

    /// Whether the asset is in a camera's raw format, or is a JPEG with an accompanying RAW file.
    public var isRAW: Bool { RowTraits.isRAW(contentType, resources) }

    /// Whether the asset is an animation: a picture with more than one frame in a format for animations.
    public var isAnimated: Bool { RowTraits.isAnimated(head) }

    /// The way to play the asset. A live photo whose rendering is an animation is played as a loop.
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

    /// Whether the asset allows an operation. Assets from outside the user's own library allow none.
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
            { AssetFacts.presentedResource(of: $0.resources)?.isLocallyAvailable ?? true })
    }
}
