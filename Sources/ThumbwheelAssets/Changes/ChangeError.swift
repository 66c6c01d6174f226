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
        /// There is neither a photograph nor a video among the resources (3303).
        case missingResource
        /// The access policy refused the transaction, or does not allow one of its operations (3311).
        case accessUserDenied
        /// The library, or the access policy of its view, is unavailable (3114).
        case libraryUnavailable
        /// An asset cannot be created with a resource of this kind; `setAdjusted` adds it later (3302).
        case unsupportedResource(AssetResource.Kind)
        /// A transaction was used after its block had ended, because the block swapped it with a transaction of another
        /// library.
        case transactionEnded
        /// The albums and folders would break an invariant of saved libraries. No operation should cause this, so it is a
        /// fault of the library, described as readable text.
        case inconsistent(String)
        /// A transaction was begun inside a transaction of the same library.
        case nestedTransaction
    }

    /// The reasons, one for each refused item, in the order given; never empty.
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
        case .invalidResource, .unsupportedResource: 3302
        case .missingResource: 3303
        case .accessUserDenied: 3311
        case .libraryUnavailable: 3114
        case .assetNotEditable, .collectionNotEditable: 3306
        default: 3300
        }
    }
}
