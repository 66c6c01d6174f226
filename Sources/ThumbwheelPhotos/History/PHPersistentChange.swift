import Foundation
import Thumbwheel

/// One block of changes in a library's history.
public final class PHPersistentChange: NSObject, Sendable {
    /// The change in this library's own spelling.
    public let change: PersistentChange

    init(_ change: PersistentChange) {
        self.change = change
    }

    /// The moment after the change, from which the next changes can be asked for.
    public var changeToken: PHPersistentChangeToken { change.token }

    /// What the block did to the objects of a class.
    ///
    /// - Throws: `PHPhotosError` with the number `persistentChangeDetailsUnavailable` if the block changed more objects than the
    ///   history lists.
    public func changeDetails(for objectType: PHObjectType) throws -> PHPersistentObjectChangeDetails {
        do throws(PersistentChangeError) {
            return switch objectType {
            case .asset: .init(objectType, try change.assetDetails(), \.localIdentifier)
            case .assetCollection: .init(objectType, try change.albumDetails(), \.localIdentifier)
            case .collectionList: .init(objectType, try change.folderDetails(), \.localIdentifier)
            }
        } catch {
            throw PHPhotosError.of(error)
        }
    }
}
