import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension Asset {
    /// Makes an asset from a photograph outside any library by reading the head of its file.
    ///
    /// - Parameters:
    ///   - timeZone: the time zone assumed for the camera's clock if the file does not state one.
    ///   - mediaSubtypes: `.photoLive` for a photograph with a `pairedVideo` among `otherResources`.
    ///   - otherResources: the asset's resources in addition to `resource`; they are not read.
    public init(
        reading resource: AssetResource, identifier: AssetIdentifier, originalFilename: String,
        assuming timeZone: TimeZone = .gmt, modificationDate: Date? = nil, addedDate: Date? = nil,
        mediaSubtypes: MediaSubtypes = [], otherResources: [AssetResource] = []
    ) throws(HeadError) {
        let source: any ByteSource
        do throws(ByteSourceError) {
            source = try resource.open()
        } catch {
            throw .source(error)
        }
        let head = try ImageHead(reading: source)
        self.init(
            identifier: identifier, head: head, resource: resource, fileSize: source.byteCount,
            originalFilename: originalFilename, creationDate: head.captureDate?.date(assuming: timeZone),
            modificationDate: modificationDate, addedDate: addedDate, mediaSubtypes: mediaSubtypes,
            otherResources: otherResources)
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
