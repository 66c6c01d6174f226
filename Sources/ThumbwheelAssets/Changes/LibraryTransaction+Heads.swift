import ThumbwheelCore
import ThumbwheelFormats

extension LibraryTransaction {
    /// Returns the head of a photograph or video, with the number of bytes of the resource.
    static func head(of resource: AssetResource) throws(ChangeError) -> (ImageHead, Int) {
        let (photograph, byteCount) = try photograph(resource, named: nil)
        return (photograph.head, byteCount)
    }

    /// Returns the facts of a photograph or video, with the number of bytes of the resource. If
    /// `AssetResource.readingHead` has not read them, this method reads them now, while other transactions wait. A
    /// resource that is reached over a network is therefore refused.
    static func photograph(
        _ resource: AssetResource, named name: String?
    ) throws(ChangeError) -> (PhotographFacts, Int) {
        if let reading = resource.reading {
            // The type that the resource states was checked when the head was read.
            return (reading.photograph, reading.byteCount)
        }
        if case .provider(let provider) = resource.source, provider.requiresNetwork {
            throw ChangeError(.networkAccessRequired(provider: provider.identifier))
        }
        return try readPhotograph(resource, named: name)
    }

    /// Reads the facts of a photograph or video. Returns them with the number of bytes of the resource. If the resource
    /// states a type, the bytes must have that type.
    ///
    /// - Parameter name: the name of the file. If the file contains no date, the date is derived from the name where
    ///   possible. Nil ignores the name.
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

    /// Checks a resource that accompanies the presented one. If its kind is a kind of video, the bytes must be a video.
    /// If it states a type, the bytes must have that type. A resource that is reached over a network is not read.
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
        // Bytes of an unknown type cannot be compared with a stated type that this library does not know either.
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
