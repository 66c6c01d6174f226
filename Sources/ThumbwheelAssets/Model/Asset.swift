import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// A photograph or another item of a library, in its state at the time of a fetch. It is an immutable value. Two assets
/// are equal if their identifiers are equal. See <doc:Semantics#Model-objects>.
///
/// Making or copying an asset changes only one reference count. Its properties, including the identifier, are read from
/// the library's columns when they are needed.
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

    /// A copy of an asset with another identifier. It refers to the original asset for everything except the identifier
    /// and the thumbnail hash.
    final class Renamed: Sendable {
        let identifier: AssetIdentifier
        let original: Original
        let hash = LoneHash()

        init(_ identifier: AssetIdentifier, _ original: Original) {
            self.identifier = identifier
            self.original = original
        }
    }

    /// Makes an asset from known metadata. No file is read.
    ///
    /// - Parameters:
    ///   - head: the metadata at the start of the file. Sides of less than 0 or more than 2³¹ − 1 pixels are replaced
    ///     by the nearest of these two numbers. Previews whose bytes begin before 0 or end after 2⁵³ are left out,
    ///     because no file contains such bytes.
    ///   - fileSize: the length of the resource in bytes. A value outside 0...2⁵³ is replaced by the nearest one
    ///     inside.
    ///   - otherResources: the asset's resources other than `resource`.
    ///   - thumbHash: the thumbnail hash of the photograph at this content version; nil if the host program has none.
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

    /// Makes the asset of a row. This takes constant time.
    init(_ chunk: Chunk, slot: Int) {
        storage = .original(.row(chunk, slot: Int32(truncatingIfNeeded: slot)))
    }

    /// Makes another asset of the same photograph, with another identifier. It has the same properties, but neither the
    /// thumbnail hash nor the cached images of this asset.
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

    /// The identifier. Assets with the same identifier are equal.
    public var identifier: AssetIdentifier {
        switch storage {
        case .original(.detached(let detached)): detached.identifier
        case .original(.row(let chunk, let slot)): chunk.columns.identifier(at: Int(slot))
        case .renamed(let renamed): renamed.identifier
        }
    }

    /// All metadata of the asset, copied to a separate value.
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
