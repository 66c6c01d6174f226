/// Why a transaction must not take place.
package enum Refusal: Error, Equatable, Sendable {
    case unknownAsset(Int)
    case unknownCollection(Int)
    case duplicateAsset(Int)
    case notRecentlyDeleted(Int)
    case notAdjusted(Int)
    case outOfRange
    case cyclicFolder(Int)
    case notInAFolder(Int)
    /// For a reason that no edit of a run has.
    case other(String)
}
