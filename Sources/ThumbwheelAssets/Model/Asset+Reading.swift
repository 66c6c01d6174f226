import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension Asset {
    /// Makes an asset from a photograph outside any library by reading the facts in its file: see
    /// <doc:Semantics#Facts-in-files>.
    ///
    /// - Parameters:
    ///   - originalFilename: the name of the file, in which a date may stand.
    ///   - timeZone: the time zone assumed for the camera's clock if the file does not state one.
    ///   - modificationDate: when the file was changed last; also the creation date of a photograph that has no other.
    ///   - mediaSubtypes: subtypes in addition to those that the file shows, such as `.photoLive` for a photograph with a
    ///     `pairedVideo` among `otherResources`.
    ///   - otherResources: the asset's resources in addition to `resource`; they are not read.
    public init(
        reading resource: AssetResource, identifier: AssetIdentifier, originalFilename: String,
        assuming timeZone: TimeZone = .gmt, modificationDate: Date? = nil, addedDate: Date? = nil,
        mediaSubtypes: AssetMediaSubtype = [], otherResources: [AssetResource] = []
    ) throws(HeadError) {
        let source: any ByteSource
        do throws(ByteSourceError) {
            source = try resource.open()
        } catch {
            throw .source(error)
        }
        self.init(
            try PhotographFacts(reading: source, filename: originalFilename), identifier: identifier,
            resource: resource,
            fileSize: source.byteCount, originalFilename: originalFilename, assuming: timeZone,
            modificationDate: modificationDate, addedDate: addedDate, mediaSubtypes: mediaSubtypes,
            otherResources: otherResources)
    }

    init(
        _ facts: PhotographFacts, identifier: AssetIdentifier, resource: AssetResource, fileSize: Int,
        originalFilename: String, assuming timeZone: TimeZone, modificationDate: Date?, addedDate: Date?,
        mediaSubtypes: AssetMediaSubtype = [], otherResources: [AssetResource] = []
    ) {
        self.init(
            identifier: identifier, head: facts.head, resource: resource, fileSize: fileSize,
            originalFilename: originalFilename,
            creationDate: facts.head.captureDate?.date(assuming: timeZone) ?? modificationDate,
            modificationDate: modificationDate, addedDate: addedDate,
            mediaSubtypes: mediaSubtypes.union(facts.mediaSubtypes), location: facts.location,
            burstIdentifier: facts.burstIdentifier, representsBurst: facts.representsBurst,
            otherResources: otherResources)
    }

    /// Makes an asset that shows a resource, with an identifier that no other asset has.
    package init(reading resource: AssetResource, originalFilename: String) throws(HeadError) {
        try self.init(reading: resource, identifier: .random(), originalFilename: originalFilename)
    }

    /// Makes an asset from the file at `path`, with an identifier derived from that path.
    ///
    /// - Throws: `HeadError` for a file that cannot be read or is not an image.
    public init(file path: String, assuming timeZone: TimeZone = .gmt) throws(HeadError) {
        try self.init(
            reading: .file(path: path), identifier: AssetIdentifier(NameDigest(path)),
            originalFilename: FilePath(path).lastComponent, assuming: timeZone)
    }
}
