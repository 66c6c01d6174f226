import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// A photograph of a library as it was when it was fetched. It is an immutable value; two assets are equal if their
/// identifiers are equal. See <doc:Semantics#Model-objects>.
///
/// Making or copying an asset costs one change of a reference count. Its properties, including the identifier, are read
/// from the library's columns on demand.
public struct Asset: Sendable, Identifiable {
    let storage: Storage

    enum Storage: Sendable {
        case original(Original)
        case renamed(Renamed)
    }

    enum Original: Sendable {
        /// An asset outside any library.
        case detached(DetachedFacts)
        case row(Chunk, slot: Int32)
    }

    final class DetachedFacts: Sendable {
        let identifier: AssetIdentifier
        let facts: AssetFacts
        let hash = LoneHash()

        init(_ identifier: AssetIdentifier, _ facts: AssetFacts) {
            self.identifier = identifier
            self.facts = facts
        }
    }

    /// A copy of an asset under another identifier. It shares everything else with the original except the thumbnail
    /// hash, which it does not inherit.
    final class Renamed: Sendable {
        let identifier: AssetIdentifier
        let original: Original
        let hash = LoneHash()

        init(_ identifier: AssetIdentifier, _ original: Original) {
            self.identifier = identifier
            self.original = original
        }
    }

    /// Makes an asset from facts that are known already; no file is read.
    ///
    /// - Parameters:
    ///   - head: the head of the file. Values that no file can have (sides below 0 or beyond 2³¹ − 1) are brought into
    ///     bounds, and previews outside any possible file are left out.
    ///   - fileSize: the length of the resource in bytes, brought into 0...2⁵³.
    ///   - otherResources: the asset's resources in addition to `resource`.
    ///   - thumbHash: the thumbnail hash of the photograph at this content version, if the host has one.
    public init(
        identifier: AssetIdentifier, contentVersion: UInt32 = 1, mediaType: AssetMediaType = .image, head: ImageHead,
        resource: AssetResource, fileSize: Int, originalFilename: String, creationDate: Date? = nil,
        modificationDate: Date? = nil, addedDate: Date? = nil, mediaSubtypes: AssetMediaSubtype = [],
        location: Location? = nil, duration: Double = 0, isFavorite: Bool = false, isHidden: Bool = false,
        burstIdentifier: String? = nil, burstSelectionTypes: AssetBurstSelectionType = [],
        representsBurst: Bool = false,
        sourceType: AssetSourceType = .userLibrary, otherResources: [AssetResource] = [],
        thumbHash: ThumbHash? = nil
    ) {
        self.init(
            identifier: identifier,
            facts: AssetFacts(
                contentVersion: contentVersion, mediaType: mediaType, mediaSubtypes: mediaSubtypes, head: head,
                resources: [resource] + otherResources, fileSize: fileSize, originalFilename: originalFilename,
                creationDate: creationDate, modificationDate: modificationDate, addedDate: addedDate,
                location: location, duration: duration, isFavorite: isFavorite, isHidden: isHidden,
                burstIdentifier: burstIdentifier, burstSelectionTypes: burstSelectionTypes,
                representsBurst: representsBurst, sourceType: sourceType
            ).bounded)
        if let thumbHash { keepThumbHash(thumbHash) }
    }

    init(identifier: AssetIdentifier, facts: AssetFacts) {
        self.init(.original(.detached(DetachedFacts(identifier, facts))))
    }

    private init(_ storage: Storage) {
        self.storage = storage
    }

    /// Makes the asset of a row, in constant time.
    init(_ chunk: Chunk, slot: Int) {
        storage = .original(.row(chunk, slot: Int32(truncatingIfNeeded: slot)))
    }

    /// Makes another asset of the same photograph under another identifier. The copy does not inherit the thumbnail hash
    /// or cached images of this asset; it shares everything else.
    public func copy(identifier: AssetIdentifier) -> Asset {
        Asset(.renamed(Renamed(identifier, original)))
    }

    @inline(__always)
    var original: Original {
        switch storage {
        case .original(let original): original
        case .renamed(let renamed): renamed.original
        }
    }

    /// The identifier; assets with the same identifier are equal.
    public var identifier: AssetIdentifier {
        switch storage {
        case .original(.detached(let detached)): detached.identifier
        case .original(.row(let chunk, let slot)): chunk.columns.identifier(at: Int(slot))
        case .renamed(let renamed): renamed.identifier
        }
    }

    /// All facts about the asset, copied into a separate value.
    var facts: AssetFacts {
        switch original {
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
