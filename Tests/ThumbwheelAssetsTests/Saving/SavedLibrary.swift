import Foundation
import ThumbwheelCore

@testable import ThumbwheelAssets

/// Takes bytes in any order.
private final class FileInMemory {
    private(set) var bytes: [UInt8] = []

    func write(_ written: [UInt8], at offset: Int) {
        let missing = offset + written.count - bytes.count
        if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
        bytes.replaceSubrange(offset..<offset + written.count, with: written)
    }
}

extension PhotoLibrary {
    var state: LibraryCore.State { core.read { $0 } }

    /// The file that the library would be saved as.
    var savedBytes: [UInt8] {
        get throws { try Self.savedBytes(of: state) }
    }

    static func savedBytes(of state: LibraryCore.State) throws -> [UInt8] {
        let file = FileInMemory()
        try LibraryFileWriting.write(state) { bytes, offset in file.write(bytes, at: offset) }
        return file.bytes
    }

    static func state(
        loading bytes: [UInt8], _ provider: @escaping ProviderResolver = { NamedProvider(identifier: $0) }
    ) throws(LibraryFileError) -> LibraryCore.State {
        try LibraryFileReading(MemoryByteSource(bytes)).state(provider)
    }

    private static func text(_ facts: AssetFacts) -> String {
        // Not every date can be printed.
        let dates = [
            facts.creationDate, facts.modificationDate, facts.addedDate, facts.trashedDate, facts.newestFileDate,
        ]
        let seconds = dates.map { $0?.timeIntervalSinceReferenceDate.bitPattern }
        return "\(facts.contentVersion) \(facts.picture as Any) \(facts.mediaType) \(facts.mediaSubtypes)"
            + " \(facts.head) \(facts.resources)"
            + " \(facts.fileSize) \(facts.originalFilename) \(facts.location as Any) \(facts.duration) \(seconds)"
            + " \(facts.burstIdentifier as Any) \(facts.sourceType) \(facts.adjustment as Any) \(facts.mark)"
    }

    /// Every stored property of what the library consists of, by reflection: one that is added and not saved shows here.
    var storedProperties: [String] {
        var found = snapshot.collections.records.map { "\($0)" } + ["\(snapshot.collections.root)"]
        found += snapshot.brokenInvariants
        for chunk in snapshot.chunks {
            // With the edits that have not gone into the settled columns yet.
            found.append("\(chunk.columns.changeNumber) \(chunk.columns.modification)")
            let mirrors = [Mirror(reflecting: chunk.columns), Mirror(reflecting: chunk.columns.settled)]
            for child in mirrors.flatMap(\.children) {
                switch child.label {
                // The reference to the columns that come next, whether they may be written to, and bounds, which may be
                // narrower.
                case "settled", "ownsSettled", "edits", "changeNumber", "modification", "creationBounds": continue
                case "hashes":
                    let columns = chunk.columns
                    found.append(
                        "\((0..<columns.count).map { columns.hashes.hash(at: $0, contentVersion: columns.contentVersion(at: $0)) })"
                    )
                case "digests":
                    let columns = chunk.columns
                    let digests = (0..<columns.count).map {
                        columns.digests.digest(at: $0, original: columns.originalPicture(at: $0))
                    }
                    found.append("\(digests)")
                case "details": found.append("\(chunk.columns.details.sorted { $0.key < $1.key })")
                default: found.append("\(child.label ?? ""): \(child.value)")
                }
            }
        }
        return found
    }

    /// Looks at everything a library has, so that what is wrong inside shows.
    func walkThrough() -> [String] {
        var seen: [String] = []
        let everything = FetchOptions(includeHiddenAssets: true, includeAllBurstAssets: true)
        let newest = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
        func see(_ label: String, _ assets: FetchResult<Asset>) {
            seen.append("\(label): \(assets.map(\.identifier))")
        }
        let snapshot = snapshot
        for (index, chunk) in snapshot.chunks.enumerated() {
            chunk.columns.mask(.alive).forEachSlot { slot in
                let row = Chunk.row(index, slot)
                let flags = RowFlag.allCases.filter { snapshot.flag($0, of: row) }
                seen.append(
                    "\(row) \(snapshot.identifier(of: row)) \(flags) \(Self.text(chunk.columns.facts(at: slot)))")
                seen.append("found at \(snapshot.row(of: snapshot.identifier(of: row)) as Any)")
            }
        }
        see("all", fetchAssets())
        see("everything", fetchAssets(with: everything))
        see("newest", fetchAssets(with: newest))
        for type in AssetCollection.CollectionType.allCases {
            for album in fetchAssetCollections(with: type) {
                seen.append("\(album.identifier) \(album.localizedTitle as Any) \(album.assetCollectionSubtype)")
                see("in it", fetchAssets(in: album))
                see("newest in it", fetchAssets(in: album, options: newest))
                see("key", fetchKeyAssets(in: album))
                seen.append("\(fetchCollectionListsContaining(album).map(\.identifier))")
            }
        }
        seen.append("\(fetchTopLevelUserCollections().map(\.identifier))")
        for folder in fetchCollectionLists() {
            seen.append("\(folder.identifier) \(fetchCollections(in: folder).map(\.identifier))")
        }
        return seen
    }
}
