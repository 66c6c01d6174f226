import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension Asset {
    /// Makes an asset that is in no library. `resource` is the asset's main file: its video if the resource's `type` is
    /// a kind of video, and otherwise its photograph. The asset's metadata is read from this file; see
    /// <doc:Semantics#Facts-in-files>.
    ///
    /// - Parameters:
    ///   - originalFilename: the name of the file. If the file contains no date, the date is derived from the name
    ///     where possible.
    ///   - timeZone: the time zone of the camera's clock, if the file does not state one.
    ///   - modificationDate: the date of the last change of the file. It becomes the creation date if no other date is
    ///     known.
    ///   - mediaSubtypes: subtypes in addition to those that are read from the file. An example is `.photoLive`, for a
    ///     photograph with a `pairedVideo` in `otherResources`.
    ///   - otherResources: the asset's resources other than `resource`. They are not read.
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
            try resource.type.isVideo
                ? PhotographFacts(readingVideo: source, filename: originalFilename)
                : PhotographFacts(reading: source, filename: originalFilename),
            identifier: identifier, resource: resource,
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
            identifier: identifier, mediaType: facts.head.contentType.isVideo ? .video : .image, head: facts.head,
            resource: resource, fileSize: fileSize,
            originalFilename: originalFilename,
            creationDate: facts.head.captureDate?.date(assuming: timeZone) ?? modificationDate,
            modificationDate: modificationDate, addedDate: addedDate,
            mediaSubtypes: mediaSubtypes.union(facts.mediaSubtypes), location: facts.location,
            duration: facts.duration,
            burstIdentifier: facts.burstIdentifier, representsBurst: facts.representsBurst,
            otherResources: otherResources)
    }

    /// Makes an asset from the photograph or video in a resource. The asset gets a new random identifier.
    package init(reading resource: AssetResource, originalFilename: String) throws(HeadError) {
        try self.init(reading: resource, identifier: .random(), originalFilename: originalFilename)
    }

    /// Makes an asset from the photograph or video in the file at `path`. The identifier is computed from the path.
    ///
    /// - Throws: `HeadError` if the file cannot be read, or is neither an image nor a video.
    public init(file path: String, assuming timeZone: TimeZone = .gmt) throws(HeadError) {
        func asset(_ type: AssetResourceType) throws(HeadError) -> Asset {
            try Asset(
                reading: AssetResource(type: type, source: .file(path: path)),
                identifier: AssetIdentifier(NameDigest(path)), originalFilename: FilePath(path).lastComponent,
                assuming: timeZone)
        }
        do throws(HeadError) {
            self = try asset(.photo)
        } catch .unknownType {
            self = try asset(.video)
        } catch {
            throw error
        }
    }
}
