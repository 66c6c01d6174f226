import ThumbwheelCore
import ThumbwheelFormats

/// The error of a transaction that was refused and has changed nothing. See <doc:Semantics#Refused-changes>.
public struct ChangeError: Error, Equatable, Sendable {
    /// The reason why one operation was refused.
    public enum Reason: Equatable, Sendable {
        /// The library has no such asset, or the access policy hides it.
        case unknownAsset(AssetIdentifier)
        /// The library has no such album or folder.
        case unknownCollection(CollectionIdentifier)
        /// The collection cannot be edited: it is smart, transient, synced, shared or imported, or it is a folder where
        /// an album is needed. See <doc:Semantics#Collections-that-cannot-be-edited>.
        case collectionNotEditable(CollectionIdentifier)
        /// The asset does not allow the operation: `Asset.canPerform(_:)` returns false.
        case assetNotEditable(AssetIdentifier, AssetEditOperation)
        /// The position `index` lies outside the list of `count` members.
        case indexOutOfRange(index: Int, count: Int)
        /// The number of given indexes differs from the number of given items.
        case countMismatch(indexes: Int, items: Int)
        /// The asset is already in the library or in the album, or the caller has given it twice.
        case duplicateAsset(AssetIdentifier)
        /// The collection is already in the folder, or the caller has given it twice.
        case duplicateCollection(CollectionIdentifier)
        /// The change would put a folder inside itself.
        case cyclicFolder(CollectionIdentifier)
        /// The collection is at the top level, so there is no folder from which it could be removed. Delete the
        /// collection instead.
        case notInAFolder(CollectionIdentifier)
        /// The asset cannot be restored or deleted for good, because it is not in Recently Deleted.
        case notRecentlyDeleted(AssetIdentifier)
        /// The asset cannot be reverted, because it has not been adjusted.
        case notAdjusted(AssetIdentifier)
        /// The bytes of a resource cannot be read, or no asset can be made from their format (PhotoKit's error number
        /// 3302).
        case invalidResource(HeadError)
        /// The transaction would have to read the head of a resource (the metadata at the start of its file) over a
        /// network (PhotoKit's error number 3164). Other transactions would wait for that. So read the head before the
        /// transaction, with `AssetResource.readingHead()`. `provider` is the identifier of the resource's provider.
        case networkAccessRequired(provider: String)
        /// The bytes of a resource have another type than the resource states (PhotoKit's error number 3302). `found`
        /// is the type of the bytes, or nil if that type is not known.
        case wrongContentType(stated: ContentType, found: ContentType?)
        /// The output of an edit has no adjustment data or no rendering (edited picture), or belongs to another asset
        /// (PhotoKit's error number 3302).
        case invalidContentEditingOutput(AssetIdentifier)
        /// The resources contain neither a photograph nor a video (PhotoKit's error number 3303).
        case missingResource
        /// The transaction could not write a file. `code` is the system's error number. PhotoKit's error number is 3305
        /// if the disk is full, and 3300 otherwise.
        case unwritable(path: String, code: Int32)
        /// The access policy refused the transaction or one of its operations (PhotoKit's error number 3311).
        case accessUserDenied
        /// The library is unavailable, or its access policy states that it is (PhotoKit's error number 3114).
        case libraryUnavailable
        /// An asset cannot be created with a resource of this kind (PhotoKit's error number 3302). Add such a resource
        /// to an existing asset with `setAdjusted`.
        case unsupportedResource(AssetResourceType)
        /// The transaction was used after its block (the closure that gets it) had ended. This happens only if blocks
        /// of two libraries are nested and the inner block swaps the two transactions, which it can do because they are
        /// `inout` arguments. The outer block then has the transaction of the inner block, which has ended.
        case transactionEnded
        /// The transaction would break a rule that the albums and folders of a library must obey. The text names the
        /// rule. No operation should lead to this error, so it shows a fault of the library's code.
        case inconsistent(String)
        /// A transaction was begun inside a transaction of the same library.
        case nestedTransaction
    }

    /// The reasons, in the order in which the caller gave the refused items. There is at least one.
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

    /// PhotoKit's error number for the first reason; see <doc:Semantics#Refused-changes>.
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
