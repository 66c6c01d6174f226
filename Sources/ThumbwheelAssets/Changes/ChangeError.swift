import ThumbwheelFormats

/// The reason why a transaction did not take place; nothing has changed then. See <doc:Semantics#Refused-changes>.
public struct ChangeError: Error, Equatable, Sendable {
    /// The reason why one operation was refused.
    public enum Reason: Equatable, Sendable {
        /// The library has no such asset, or its view does not see it.
        case unknownAsset(AssetIdentifier)
        /// The library has no such album or folder.
        case unknownCollection(CollectionIdentifier)
        /// A smart, transient, synced, shared or imported collection, or a folder where an album is needed; see
        /// <doc:Semantics#Collections-that-cannot-be-edited>.
        case collectionNotEditable(CollectionIdentifier)
        /// An asset for which `canPerform` is false.
        case assetNotEditable(AssetIdentifier, AssetEditOperation)
        /// There is no such position among the `count` members.
        case indexOutOfRange(index: Int, count: Int)
        /// There are not as many indexes as items.
        case countMismatch(indexes: Int, items: Int)
        /// The asset is in the library or in the album already, or is given twice.
        case duplicateAsset(AssetIdentifier)
        /// The collection is in the folder already, or is given twice.
        case duplicateCollection(CollectionIdentifier)
        /// A folder would be inside itself.
        case cyclicFolder(CollectionIdentifier)
        /// Something is removed from the top level, where there is no place above it; delete it instead.
        case notInAFolder(CollectionIdentifier)
        /// Restoring, or deleting for good, what is not in Recently Deleted.
        case notRecentlyDeleted(AssetIdentifier)
        /// Reverting what has not been adjusted.
        case notAdjusted(AssetIdentifier)
        /// The bytes cannot be had, or are of nothing that an asset can be made of (3302).
        case invalidResource(HeadError)
        /// There is neither a photograph nor a video among the resources (3303).
        case missingResource
        /// The policy refused the transaction, or does not allow what it does (3311).
        case accessUserDenied
        /// The policy says that the library is not available (3114).
        case libraryUnavailable
        /// Resources that an asset is given later, by `setAdjusted`, and not when it is created (3302).
        case unsupportedResource(AssetResource.Kind)
        /// A transaction was used after its block had ended: the block swapped it with a transaction of another
        /// library.
        case transactionEnded
        /// Albums and folders would no longer satisfy what a saved library must. No operation should lead there: this
        /// is a fault of the library, described for people.
        case inconsistent(String)
        /// A transaction was begun inside a transaction of the same library.
        case nestedTransaction
    }

    /// One for each refused item, in the order given; never empty.
    public let reasons: [Reason]

    /// Makes an error of one reason.
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
