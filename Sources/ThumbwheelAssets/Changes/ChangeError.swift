import ThumbwheelCore
import ThumbwheelFormats

/// The error of a transaction that did not take place and so changed nothing. See <doc:Semantics#Refused-changes>.
public struct ChangeError: Error, Equatable, Sendable {
    /// The reason why one operation was refused.
    public enum Reason: Equatable, Sendable {
        /// The library has no such asset, or its view does not see it.
        case unknownAsset(AssetIdentifier)
        /// The library has no such album or folder.
        case unknownCollection(CollectionIdentifier)
        /// The collection is smart, transient, synced, shared or imported, or is a folder although an album is needed;
        /// see <doc:Semantics#Collections-that-cannot-be-edited>.
        case collectionNotEditable(CollectionIdentifier)
        /// The asset does not allow the operation: `canPerform` is false for it.
        case assetNotEditable(AssetIdentifier, AssetEditOperation)
        /// The position `index` lies outside the list of `count` members.
        case indexOutOfRange(index: Int, count: Int)
        /// The number of indexes differs from the number of items.
        case countMismatch(indexes: Int, items: Int)
        /// The asset is in the library or in the album already, or is given twice.
        case duplicateAsset(AssetIdentifier)
        /// The collection is in the folder already, or is given twice.
        case duplicateCollection(CollectionIdentifier)
        /// A folder would be inside itself.
        case cyclicFolder(CollectionIdentifier)
        /// A collection was to be removed from the top level, which has no folder above it; delete the collection
        /// instead.
        case notInAFolder(CollectionIdentifier)
        /// An asset was to be restored or deleted for good, but it is not in Recently Deleted.
        case notRecentlyDeleted(AssetIdentifier)
        /// An asset was to be reverted, but it has not been adjusted.
        case notAdjusted(AssetIdentifier)
        /// The bytes cannot be read, or are in no format that an asset can be made of (3302).
        case invalidResource(HeadError)
        /// The head of a resource would have to be read over a network, for which all other transactions would wait. Read it
        /// before the transaction, with `AssetResource.readingHead()` (3164). `provider` is the identifier of the resource's
        /// provider.
        case networkAccessRequired(provider: String)
        /// The bytes are not of the type that their resource states; `found` is nil if they are of no known type (3302).
        case wrongContentType(stated: ContentType, found: ContentType?)
        /// The output of an edit has no recipe or no rendering, or is of another asset (3302).
        case invalidContentEditingOutput(AssetIdentifier)
        /// There is neither a photograph nor a video among the resources (3303).
        case missingResource
        /// A file that the transaction was to write could not be written; `code` is the system's error number (3305 if the
        /// disk is full).
        case unwritable(path: String, code: Int32)
        /// The access policy refused the transaction, or does not allow one of its operations (3311).
        case accessUserDenied
        /// The library, or the access policy of its view, is unavailable (3114).
        case libraryUnavailable
        /// An asset cannot be created with a resource of this kind; `setAdjusted` adds it later (3302).
        case unsupportedResource(AssetResourceType)
        /// A transaction was used after its block had ended, because the block swapped it with a transaction of another
        /// library.
        case transactionEnded
        /// After the transaction, albums and folders would break a rule that saved libraries must obey; the text names
        /// the rule. No operation should cause this, so it is a fault of the library.
        case inconsistent(String)
        /// A transaction was begun inside a transaction of the same library.
        case nestedTransaction
    }

    /// The reasons: one for each refused item, in the order in which the items were given. There is always at least
    /// one.
    public let reasons: [Reason]

    /// Makes an error with one reason.
    public init(_ reason: Reason) {
        reasons = [reason]
    }

    init(_ reasons: [Reason]) {
        self.reasons = reasons
    }

    /// The first reason.
    public var reason: Reason { reasons[0] }

    /// PhotoKit's number for the first reason; see <doc:Semantics#Refused-changes>.
    public var code: Int {
        switch reason {
        case .unknownAsset, .unknownCollection: 3201
        case .invalidResource, .unsupportedResource, .wrongContentType, .invalidContentEditingOutput: 3302
        case .networkAccessRequired: 3164
        case .missingResource: 3303
        case .unwritable(_, let code) where FileStatus.Failure(code: code).isFullDisk: 3305
        case .accessUserDenied: 3311
        case .libraryUnavailable: 3114
        case .assetNotEditable, .collectionNotEditable: 3306
        default: 3300
        }
    }
}
