import ThumbwheelCore
import ThumbwheelFormats

extension LibraryTransaction {
    /// Reads the head of a photograph or recognises the type of a video, and returns it with the number of bytes.
    static func head(of resource: AssetResource) throws(ChangeError) -> (ImageHead, Int) {
        let (photograph, byteCount) = try photograph(resource, named: nil)
        return (photograph.head, byteCount)
    }

    /// The facts of a photograph or the type of a video, with the number of bytes: those that `AssetResource.readingHead` has
    /// read, or else read now. The other transactions wait meanwhile, so a resource that needs a network is refused.
    static func photograph(
        _ resource: AssetResource, named name: String?
    ) throws(ChangeError) -> (PhotographFacts, Int) {
        if let reading = resource.reading {
            // The stated type was compared when the head was read.
            return (reading.photograph, reading.byteCount)
        }
        if case .provider(let provider) = resource.source, provider.requiresNetwork {
            throw ChangeError(.networkAccessRequired(provider: provider.identifier))
        }
        return try readPhotograph(resource, named: name)
    }

    /// Reads the facts of a photograph or recognises the type of a video, and returns them with the number of bytes. The
    /// bytes must be of the type that the resource states, if it states one.
    ///
    /// - Parameter name: the name of the file, which may tell the date of a photograph that has none; nil to ignore it.
    static func readPhotograph(
        _ resource: AssetResource, named name: String?
    ) throws(ChangeError) -> (PhotographFacts, Int) {
        let (facts, byteCount): (PhotographFacts, Int)
        do throws(HeadError) {
            let source = try source(of: resource)
            byteCount = source.byteCount
            if resource.type.isVideo {
                guard let type = try videoType(of: source) else { throw .unknownType }
                facts = PhotographFacts(head: ImageHead(contentType: type, storedSize: .zero))
            } else {
                facts = try PhotographFacts(reading: source, filename: name)
            }
        } catch {
            throw ChangeError(.invalidResource(error))
        }
        try require(facts.head.contentType, of: resource)
        return (facts, byteCount)
    }

    /// Checks that a resource in addition to the presented one is a video if it is to be one, and that it is of the type that
    /// it states. A resource that needs a network is not read.
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
        // Bytes of a type that nobody here knows cannot be checked.
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
