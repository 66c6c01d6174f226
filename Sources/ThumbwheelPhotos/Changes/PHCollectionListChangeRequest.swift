import Foundation
import Thumbwheel

/// Changes or creates a folder inside a block of changes. Each call takes effect at once, and the calls after it see it.
public final class PHCollectionListChangeRequest: NSObject {
    private let block = PHChangeBlock.current
    // The folder; nil for the top level.
    private let folder: CollectionIdentifier?
    // The members that the caller saw, to which indexes refer.
    private let seen: FetchResult<CollectionItem>?
    private let placeholder: PHObjectPlaceholder?
    /// What stands for the folder that the request creates; it can be used in other requests of the block.
    ///
    /// - Precondition: the request creates a folder.
    public var placeholderForCreatedCollectionList: PHObjectPlaceholder {
        guard let placeholder else { preconditionFailure("A request that creates no folder has no placeholder") }
        return placeholder
    }

    /// The title.
    public var title: String {
        didSet {
            guard let folder else { return }
            block.perform { [title] transaction throws(ChangeError) in try transaction.setTitle(title, of: folder) }
        }
    }

    /// Changes a folder; nil for a list that cannot be changed. Indexes refer to its members as they are.
    public convenience init?(for list: PHCollectionList) { self.init(for: list, childCollections: nil) }

    /// Changes a folder; nil for a list that cannot be changed. Indexes refer to its members as a fetch found them.
    public init?(for list: PHCollectionList, childCollections: PHFetchResult<PHCollection>?) {
        guard list.canPerform(.addContent) else { return nil }
        (folder, seen, placeholder) = (list.list.identifier, childCollections?.items, nil)
        title = list.localizedTitle ?? ""
    }

    /// Changes the order of the albums and folders that lie in no folder.
    public init?(forTopLevelCollectionListUserCollections childCollections: PHFetchResult<PHCollection>) {
        (folder, seen, placeholder) = (nil, childCollections.items, nil)
        title = ""
    }

    private init(titled title: String) {
        var created: CollectionPlaceholder?
        block.perform { transaction throws(ChangeError) in created = try transaction.createFolder(title: title) }
        // After a refusal nothing of the block takes place, so any identifier will do.
        let identifier = created?.identifier ?? .refused
        (folder, seen, placeholder) = (identifier, nil, PHObjectPlaceholder(.collection(identifier)))
        self.title = title
    }

    /// Creates a folder in no other folder.
    public static func creationRequestForCollectionList(withTitle title: String) -> PHCollectionListChangeRequest {
        PHCollectionListChangeRequest(titled: title)
    }

    /// Deletes folders with the albums and folders in them. Assets stay in the library.
    public static func deleteCollectionLists(_ lists: some PHObjectList) {
        let lists = lists.collections
        PHChangeBlock.current.perform { transaction throws(ChangeError) in try transaction.deleteCollections(lists) }
    }

    /// Adds albums and folders at the end, taking them out of the folders that they were in.
    public func addChildCollections(_ collections: some PHObjectList) {
        let collections = collections.collections
        block.perform { [folder] transaction throws(ChangeError) in
            try transaction.addChildCollections(collections, to: folder)
        }
    }

    /// Inserts albums and folders, the first at the first index.
    public func insertChildCollections(_ collections: some PHObjectList, at indexes: IndexSet) {
        let collections = collections.collections
        block.perform { [folder, seen] transaction throws(ChangeError) in
            try transaction.insertChildCollections(collections, into: folder, at: indexes, pinnedTo: seen)
        }
    }

    /// Takes albums and folders out of the folder; they then lie in no folder.
    public func removeChildCollections(_ collections: some PHObjectList) {
        guard let folder else { return refuse() }
        let collections = collections.collections
        block.perform { transaction throws(ChangeError) in
            try transaction.removeChildCollections(collections, from: folder)
        }
    }

    /// Takes the members at some indexes out of the folder; they then lie in no folder.
    public func removeChildCollections(at indexes: IndexSet) {
        guard let folder else { return refuse() }
        block.perform { [seen] transaction throws(ChangeError) in
            try transaction.removeChildCollections(at: indexes, from: folder, pinnedTo: seen)
        }
    }

    /// Puts albums and folders in the places of those at some indexes.
    public func replaceChildCollections(at indexes: IndexSet, withChildCollections collections: some PHObjectList) {
        let collections = collections.collections
        block.perform { [folder, seen] transaction throws(ChangeError) in
            try transaction.replaceChildCollections(at: indexes, in: folder, with: collections, pinnedTo: seen)
        }
    }

    /// Moves the members at some indexes to where the first of them then is.
    public func moveChildCollections(at indexes: IndexSet, to index: Int) {
        block.perform { [folder, seen] transaction throws(ChangeError) in
            try transaction.moveChildCollections(at: indexes, to: index, in: folder, pinnedTo: seen)
        }
    }

    /// Makes the block fail: members of the top level lie in no folder that they could be taken out of.
    private func refuse() {
        block.perform { _ throws(ChangeError) in throw ChangeError(.notInAFolder(.refused)) }
    }
}

extension PHFetchResult {
    fileprivate var items: FetchResult<CollectionItem>? {
        if case .collections(let result) = contents { result } else { nil }
    }
}
