import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// A photograph of a library as it was when it was fetched: an immutable value, equal to others by its identifier alone
/// (rows 1 to 3).
///
/// Copying one costs a reference count, whatever it holds; what it tells is read from the library's columns when it is
/// asked for.
public struct Asset: Sendable, Identifiable {
    public let identifier: AssetIdentifier
    /// Changes when and only when the pixels do, so that identifier and version name a picture (row 10 tells why the
    /// modification date cannot).
    public let contentVersion: UInt32
    let storage: Storage

    enum Storage: Sendable {
        /// An asset outside any library.
        case detached(DetachedFacts)
        case row(Chunk, slot: Int32)
    }

    final class DetachedFacts: Sendable {
        let facts: AssetFacts

        init(_ facts: AssetFacts) {
            self.facts = facts
        }
    }

    /// Makes an asset of facts that are known already; nothing is read.
    ///
    /// - Parameters:
    ///   - fileSize: the length of the resource in bytes.
    ///   - otherResources: what belongs to the asset beside `resource`.
    public init(
        identifier: AssetIdentifier, contentVersion: UInt32 = 1, mediaType: MediaType = .image, head: ImageHead,
        resource: AssetResource, fileSize: Int, originalFilename: String, creationDate: Date? = nil,
        modificationDate: Date? = nil, addedDate: Date? = nil, mediaSubtypes: MediaSubtypes = [],
        location: Location? = nil, duration: Double = 0, isFavorite: Bool = false, isHidden: Bool = false,
        burstIdentifier: String? = nil, burstSelectionTypes: BurstSelectionTypes = [], representsBurst: Bool = false,
        sourceType: AssetSourceTypes = .userLibrary, otherResources: [AssetResource] = []
    ) {
        self.init(
            identifier: identifier,
            facts: AssetFacts(
                contentVersion: contentVersion, mediaType: mediaType, mediaSubtypes: mediaSubtypes, head: head,
                resources: [resource] + otherResources, fileSize: fileSize, originalFilename: originalFilename,
                creationDate: creationDate, modificationDate: modificationDate, addedDate: addedDate,
                location: location, duration: duration, isFavorite: isFavorite, isHidden: isHidden,
                burstIdentifier: burstIdentifier, burstSelectionTypes: burstSelectionTypes,
                representsBurst: representsBurst, sourceType: sourceType))
    }

    init(identifier: AssetIdentifier, facts: AssetFacts) {
        self.identifier = identifier
        contentVersion = facts.contentVersion
        storage = .detached(DetachedFacts(facts))
    }

    private init(identifier: AssetIdentifier, contentVersion: UInt32, storage: Storage) {
        self.identifier = identifier
        self.contentVersion = contentVersion
        self.storage = storage
    }

    /// The asset of a row. Constant.
    init(_ chunk: Chunk, slot: Int) {
        identifier = chunk.columns.identifier(at: slot)
        contentVersion = chunk.columns.contentVersion[slot]
        storage = .row(chunk, slot: Int32(truncatingIfNeeded: slot))
    }

    /// The same photograph under another identifier, and so another asset; all else is shared with this one.
    public func copy(identifier: AssetIdentifier) -> Asset {
        Asset(identifier: identifier, contentVersion: contentVersion, storage: storage)
    }

    /// All that is known, as a value of its own.
    var facts: AssetFacts {
        switch storage {
        case .detached(let detached): detached.facts
        case .row(let chunk, let slot): chunk.columns.facts(at: Int(slot))
        }
    }
}

extension Asset: Hashable {
    public static func == (one: Asset, other: Asset) -> Bool { one.identifier == other.identifier }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Asset: CustomStringConvertible {
    public var description: String { "\(originalFilename) \(pixelSize) \(localIdentifier)" }
}
