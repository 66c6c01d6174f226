import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// A photograph of a library as it was when it was fetched: an immutable value, equal to others by its identifier
/// alone. See <doc:Semantics#Model-objects>.
///
/// Making or copying one costs a reference count. Its properties, the identifier included, are read from the
/// library's columns when they are asked for.
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

    /// All of another asset but its identifier, and its hash, which is made of this one or not at all.
    final class Renamed: Sendable {
        let identifier: AssetIdentifier
        let original: Original
        let hash = LoneHash()

        init(_ identifier: AssetIdentifier, _ original: Original) {
            self.identifier = identifier
            self.original = original
        }
    }

    /// Makes an asset of facts that are known already; nothing is read.
    ///
    /// - Parameters:
    ///   - head: the head of the file; values that no file can have (sides below 0 or beyond 2³¹ − 1) are brought into
    ///     bounds, and previews outside any file are left out.
    ///   - fileSize: the length of the resource in bytes, brought into 0...2⁵³.
    ///   - otherResources: the asset's resources beside `resource`.
    ///   - thumbHash: the hash of the photograph at this version, if the host has it.
    public init(
        identifier: AssetIdentifier, contentVersion: UInt32 = 1, mediaType: MediaType = .image, head: ImageHead,
        resource: AssetResource, fileSize: Int, originalFilename: String, creationDate: Date? = nil,
        modificationDate: Date? = nil, addedDate: Date? = nil, mediaSubtypes: MediaSubtypes = [],
        location: Location? = nil, duration: Double = 0, isFavorite: Bool = false, isHidden: Bool = false,
        burstIdentifier: String? = nil, burstSelectionTypes: BurstSelectionTypes = [], representsBurst: Bool = false,
        sourceType: AssetSourceTypes = .userLibrary, otherResources: [AssetResource] = [],
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

    /// The asset of a row. Constant.
    init(_ chunk: Chunk, slot: Int) {
        storage = .original(.row(chunk, slot: Int32(truncatingIfNeeded: slot)))
    }

    /// Makes the same photograph under another identifier: another asset, without what was made of this one. All else
    /// is shared.
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

    /// The identifier, by which assets are equal.
    public var identifier: AssetIdentifier {
        switch storage {
        case .original(.detached(let detached)): detached.identifier
        case .original(.row(let chunk, let slot)): chunk.columns.identifier(at: Int(slot))
        case .renamed(let renamed): renamed.identifier
        }
    }

    /// All that is known, as a value of its own.
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
