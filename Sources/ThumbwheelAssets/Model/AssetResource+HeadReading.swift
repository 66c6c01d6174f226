import ThumbwheelCore
import ThumbwheelFormats

extension AssetResource {
    /// The contents of a resource's head, read before a transaction.
    struct ReadHead: Sendable {
        /// The source that was read. The source of a resource can be replaced after its head was read; the reading does not
        /// count then.
        let source: Source
        let photograph: PhotographFacts
        let byteCount: Int
    }

    /// The contents of the head; nil unless `readingHead` has read it from the resource's present source.
    var reading: ReadHead? {
        guard let reading = facts?.reading, reading.source == source else { return nil }
        return reading
    }

    /// The resource without the contents of its head, as an asset keeps it.
    var withoutReading: AssetResource {
        guard let facts, facts.reading != nil else { return self }
        var resource = self
        resource.facts =
            facts.originalFilename == nil && facts.contentType == nil
            ? nil : Facts(originalFilename: facts.originalFilename, contentType: facts.contentType)
        return resource
    }

    /// Reads the head of the photograph, or the type of the video, and returns the resource with what was read.
    ///
    /// A transaction that creates an asset from the returned resource, or takes it as a rendering, reads nothing. Transactions
    /// run one at a time, so a slow network inside one would stop all of them: they refuse resources that need a network and
    /// whose head has not been read so (`ChangeError.Reason.networkAccessRequired`).
    ///
    /// The head is read on a thread that may wait; a read that has begun goes on to its end even if the task is cancelled. A
    /// date in the file's name counts if the resource states that name.
    ///
    /// - Throws: `ChangeError`: `.invalidResource` for bytes that cannot be read or are neither an image nor a video,
    ///   `.wrongContentType` for bytes that are not of the type that the resource states.
    public func readingHead() async throws(ChangeError) -> AssetResource {
        let result = await withCheckedContinuation { continuation in
            BlockingThreads.reads.run {
                continuation.resume(returning: Result { () throws(ChangeError) in try withHeadRead() })
            }
        }
        return try result.get()
    }

    private func withHeadRead() throws(ChangeError) -> AssetResource {
        let (photograph, byteCount) = try LibraryTransaction.readPhotograph(self, named: originalFilename)
        var resource = self
        resource.facts = Facts(
            originalFilename: facts?.originalFilename, contentType: contentType, byteCount: byteCount,
            asset: assetIdentifier,
            reading: ReadHead(source: source, photograph: photograph, byteCount: byteCount))
        return resource
    }
}
