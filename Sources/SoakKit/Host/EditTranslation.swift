import Foundation
import Thumbwheel

/// Does one edit of the model's within a transaction of the library.
struct EditTranslation {
    let names: CollectionNames
    let pin: SeenResults.Pin?
    /// What an upload or a new original brings, and the rendering of an adjustment.
    let asset: Asset?
    let resource: AssetResource?

    private struct Missing: Error {}

    /// - Returns: the collection that it makes.
    func perform(_ edit: LibraryEdit, _ changes: inout LibraryTransaction) throws -> (Int, CollectionPlaceholder)? {
        switch edit {
        case .upload(let number, _):
            if let asset {
                try changes.createAsset(asset)
            } else {
                try changes.createAsset(
                    from: [try resource ?? { throw Missing() }()], originalFilename: "\(number)",
                    identifier: AssetIdentifier(soak: number))
            }
        case .replaceOriginal:
            if let asset { try changes.update(with: [asset]) }
        case .toggleFavorite(let number):
            try changes.edit(AssetIdentifier(soak: number)) { $0.isFavorite.toggle() }
        case .toggleHidden(let number):
            try changes.edit(AssetIdentifier(soak: number)) { $0.isHidden.toggle() }
        case .adjust(let number, let picture):
            let recipe = AdjustmentData(
                formatIdentifier: "org.example.soak", formatVersion: "1", data: Array("\(picture.number)".utf8))
            try changes.setAdjusted(
                AssetIdentifier(soak: number), rendering: try resource ?? { throw Missing() }(),
                adjustmentData: recipe)
        case .revert(let number): try changes.revertToOriginal(AssetIdentifier(soak: number))
        case .trash(let numbers): try changes.deleteAssets(numbers.map(AssetIdentifier.init(soak:)))
        case .restore(let numbers): try changes.restoreAssets(numbers.map(AssetIdentifier.init(soak:)))
        case .expunge(let numbers): try changes.deleteAssetsPermanently(numbers.map(AssetIdentifier.init(soak:)))
        case .add, .insert, .move, .remove: try editMembers(edit, &changes)
        case .createAlbum(let node, let parent):
            return (node, try changes.createAlbum(title: "\(node)", in: try folder(parent)))
        case .createFolder(let node, let parent):
            return (node, try changes.createFolder(title: "\(node)", in: try folder(parent)))
        case .rename(let node, let title): try changes.setTitle(title, of: try collection(node))
        case .delete(let node): try changes.deleteCollections([try collection(node)])
        case .adopt(let nodes, let parent):
            try changes.addChildCollections(try nodes.map { try collection($0) }, to: try folder(parent))
        case .moveChildren(let indexes, let target, let parent, _):
            try changes.moveChildCollections(
                at: IndexSet(indexes), to: target, in: try folder(parent), pinnedTo: pin?.children)
        case .removeChildren(let indexes, let parent, _):
            try changes.removeChildCollections(
                at: IndexSet(indexes), from: try collection(parent), pinnedTo: pin?.children)
        }
        return nil
    }

    private func editMembers(_ edit: LibraryEdit, _ changes: inout LibraryTransaction) throws {
        switch edit {
        case .add(let numbers, let album):
            try changes.addAssets(numbers.map(AssetIdentifier.init(soak:)), to: try collection(album))
        case .insert(let number, let album, let index, _):
            try changes.insertAssets(
                [AssetIdentifier(soak: number)], into: try collection(album), at: [index], pinnedTo: pin?.members)
        case .move(let indexes, let target, let album, _):
            try changes.moveAssets(
                at: IndexSet(indexes), to: target, in: try collection(album), pinnedTo: pin?.members)
        case .remove(let indexes, let album, _):
            try changes.removeAssets(at: IndexSet(indexes), from: try collection(album), pinnedTo: pin?.members)
        default: throw Missing()
        }
    }

    private func collection(_ node: Int) throws -> CollectionIdentifier {
        guard let identifier = names[node] else { throw Missing() }
        return identifier
    }

    /// Nil for the top level.
    private func folder(_ node: Int) throws -> CollectionIdentifier? {
        node == LibraryModel.top ? nil : try collection(node)
    }
}
