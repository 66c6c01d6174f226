import ThumbwheelCore
import ThumbwheelFormats

extension LibraryTransaction {
    /// Returns the metadata at the start of a photograph's or video's file, and the number of bytes of the resource.
    static func head(of resource: AssetResource) throws(ChangeError) -> (ImageHead, Int) {
        let (photograph, byteCount) = try photograph(resource, named: nil)
        return (photograph.head, byteCount)
    }

    /// Returns the metadata of a photograph or video, and the number of bytes of the resource. If
    /// `AssetResource.readingHead` has not read the metadata yet, this method reads it, while other transactions wait.
    /// If the metadata would have to be read over a network, the resource is refused.
    static func photograph(
        _ resource: AssetResource, named name: String?
    ) throws(ChangeError) -> (PhotographFacts, Int) {
        if let reading = resource.reading {
            // `readingHead` has already compared the type of the bytes with the type that the resource states.
            return (reading.photograph, reading.byteCount)
        }
        if case .provider(let provider) = resource.source, provider.requiresNetwork {
            throw ChangeError(.networkAccessRequired(provider: provider.identifier))
        }
        return try readPhotograph(resource, named: name)
    }

    /// Reads the metadata of a photograph or video, and returns it with the number of bytes of the resource. If the
    /// resource states a type, the bytes must have that type.
    ///
    /// - Parameter name: the name of the file. If the file contains no date, the date is derived from the name where
    ///   possible. If the parameter is nil, the name is not used.
    static func readPhotograph(
        _ resource: AssetResource, named name: String?
    ) throws(ChangeError) -> (PhotographFacts, Int) {
        let (facts, byteCount): (PhotographFacts, Int)
        do throws(HeadError) {
            let source = try source(of: resource)
            byteCount = source.byteCount
            facts =
                try resource.type.isVideo
                ? PhotographFacts(readingVideo: source, filename: name)
                : PhotographFacts(reading: source, filename: name)
        } catch {
            throw ChangeError(.invalidResource(error))
        }
        try require(facts.head.contentType, of: resource)
        return (facts, byteCount)
    }

    /// Checks the bytes of an additional resource, for example of the video of a live photo. The picture or video that
    /// represents the asset is checked elsewhere. An error is thrown in two cases:
    ///
    /// - The resource is a video by its `type`, but its bytes are not a video.
    /// - The resource states a content type, but its bytes have another type.
    ///
    /// A resource that is reached over a network is accepted without a check.
    static func checkType(of resource: AssetResource) throws(ChangeError) {
        guard resource.isLocallyAvailable, resource.type.isVideo || resource.contentType != nil else { return }
        let found: ContentType?
        do throws(HeadError) {
            let source = try source(of: resource)
            if resource.type.isVideo {
                found = try videoType(of: source)
                if found == nil { throw .unknownType }
            } else {
                found = try imageType(of: source)
            }
        } catch {
            throw ChangeError(.invalidResource(error))
        }
        // If the library knows neither the type of the bytes nor the stated type, it cannot compare the two and accepts
        // the resource.
        if found == nil, let stated = resource.contentType, !ContentType.known.contains(stated) { return }
        try require(found, of: resource)
    }

    private static func require(_ found: ContentType?, of resource: AssetResource) throws(ChangeError) {
        guard let stated = resource.contentType, stated != found else { return }
        throw ChangeError(.wrongContentType(stated: stated, found: found))
    }

    private static func source(of resource: AssetResource) throws(HeadError) -> any ByteSource {
        do throws(ByteSourceError) { return try resource.open() } catch { throw .source(error) }
    }

    private static func videoType(of source: any ByteSource) throws(HeadError) -> ContentType? {
        do throws(ByteSourceError) { return try ContentType(sniffingVideo: source) } catch { throw .source(error) }
    }

    private static func imageType(of source: any ByteSource) throws(HeadError) -> ContentType? {
        do throws(ByteSourceError) { return try ContentType(sniffing: source) } catch { throw .source(error) }
    }
}
