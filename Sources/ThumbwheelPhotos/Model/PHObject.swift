import Foundation
import Thumbwheel

/// A value of the library as it was when it was fetched. Objects with the same identifier are equal, whatever their contents
/// and their class.
///
/// Unchecked sendability: an object and its subclasses have constants only.
public class PHObject: NSObject, NSCopying, @unchecked Sendable {
    /// The identity of an asset or of a collection.
    enum Identity: Hashable {
        case asset(AssetIdentifier)
        case collection(CollectionIdentifier)
    }

    let identity: Identity

    init(_ identity: Identity) {
        self.identity = identity
    }

    /// The identifier, the same for as long as the library has the object.
    public var localIdentifier: String {
        switch identity {
        case .asset(let identifier): identifier.localIdentifier
        case .collection(let identifier): identifier.localIdentifier
        }
    }

    /// Returns the object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? PHObject)?.identity == identity }

    public override var hash: Int { identity.hashValue }
}
