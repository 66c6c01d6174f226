import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// A photograph of a library as it was when it was fetched: an immutable value, equal to others by its identifier alone
/// (rows 1 to 3).
///
/// Copying one costs a reference count, whatever it holds.
public struct Asset: Sendable, Identifiable {
    public let identifier: AssetIdentifier
    /// Changes when and only when the pixels do, so that identifier and version name a picture (row 10 tells why the
    /// modification date cannot).
    public let contentVersion: UInt32
    private let facts: Facts

    /// What assets made from the same photograph share.
    private final class Facts: Sendable {
        let mediaType: MediaType
        let head: ImageHead
        let resource: AssetResource
        let fileSize: Int
        let originalFilename: String
        let creationDate: Date?
        let modificationDate: Date?
        let addedDate: Date?

        init(
            mediaType: MediaType, head: ImageHead, resource: AssetResource, fileSize: Int, originalFilename: String,
            creationDate: Date?, modificationDate: Date?, addedDate: Date?
        ) {
            self.mediaType = mediaType
            self.head = head
            self.resource = resource
            self.fileSize = fileSize
            self.originalFilename = originalFilename
            self.creationDate = creationDate
            self.modificationDate = modificationDate
            self.addedDate = addedDate
        }
    }

    /// Makes an asset of facts that are known already; nothing is read.
    ///
    /// - Parameter fileSize: the length of the resource in bytes.
    public init(
        identifier: AssetIdentifier, contentVersion: UInt32 = 1, mediaType: MediaType = .image, head: ImageHead,
        resource: AssetResource, fileSize: Int, originalFilename: String, creationDate: Date? = nil,
        modificationDate: Date? = nil, addedDate: Date? = nil
    ) {
        self.identifier = identifier
        self.contentVersion = contentVersion
        facts = Facts(
            mediaType: mediaType, head: head, resource: resource, fileSize: fileSize,
            originalFilename: originalFilename, creationDate: creationDate, modificationDate: modificationDate,
            addedDate: addedDate)
    }

    private init(identifier: AssetIdentifier, contentVersion: UInt32, facts: Facts) {
        self.identifier = identifier
        self.contentVersion = contentVersion
        self.facts = facts
    }

    /// The same photograph under another identifier, and so another asset; all else is shared with this one.
    public func copy(identifier: AssetIdentifier) -> Asset {
        Asset(identifier: identifier, contentVersion: contentVersion, facts: facts)
    }
}

extension Asset {
    public var id: AssetIdentifier { identifier }

    public var localIdentifier: String { identifier.localIdentifier }

    public var mediaType: MediaType { facts.mediaType }

    /// What the head of the file told when it was read: enough to render without reading it again.
    public var head: ImageHead { facts.head }

    /// The type that the bytes show, whatever the file's name says (row 17).
    public var contentType: ContentType { facts.head.contentType }

    /// The size in display orientation (row 8).
    public var pixelSize: PixelSize { facts.head.displaySize }

    public var pixelWidth: Int { pixelSize.width }

    public var pixelHeight: Int { pixelSize.height }

    /// Where the photograph's bytes are.
    public var resource: AssetResource { facts.resource }

    /// The length of the resource in bytes.
    public var fileSize: Int { facts.fileSize }

    /// The name of the file as it was imported, without its folder.
    public var originalFilename: String { facts.originalFilename }

    /// When the photograph was taken; nil where its file does not tell (row 9).
    public var creationDate: Date? { facts.creationDate }

    /// When the asset or one of its properties changed last (row 10).
    public var modificationDate: Date? { facts.modificationDate }

    /// When the asset came into its library (row 11).
    public var addedDate: Date? { facts.addedDate }
}

extension Asset: Hashable {
    public static func == (one: Asset, other: Asset) -> Bool { one.identifier == other.identifier }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Asset: CustomStringConvertible {
    public var description: String { "\(originalFilename) \(pixelSize) \(localIdentifier)" }
}
