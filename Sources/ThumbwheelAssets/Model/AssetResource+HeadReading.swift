import ThumbwheelCore
import ThumbwheelFormats

extension AssetResource {
    /// The metadata at the start of a resource's bytes, read before a transaction.
    struct ReadHead: Sendable {
        /// The source from which the metadata was read. If the source of the resource is replaced later, this metadata
        /// is no longer used.
        let source: Source
        let photograph: PhotographFacts
        let byteCount: Int
    }

    /// The metadata at the start of the bytes; nil unless `readingHead` has read it from the present source of the
    /// resource.
    var reading: ReadHead? {
        guard let reading = facts?.reading, reading.source == source else { return nil }
        return reading
    }

    /// The resource without the metadata that `readingHead` has read. Assets store it in this form.
    var withoutReading: AssetResource {
        guard let facts, facts.reading != nil else { return self }
        var resource = self
        resource.facts =
            facts.originalFilename == nil && facts.contentType == nil
            ? nil : Facts(originalFilename: facts.originalFilename, contentType: facts.contentType)
        return resource
    }

    /// Reads the head of the photograph or video (the metadata at the start of the file), and returns a resource that
    /// contains it.
    ///
    /// A transaction that uses the returned resource does not have to read anything. Transactions run one at a time, so
    /// reading over a slow network in one of them would stop all others. They therefore refuse a resource that needs a
    /// network unless its head has been read by this method (`ChangeError.Reason.networkAccessRequired`).
    ///
    /// The head is read on a thread of its own. If the task is cancelled, a read that has started is completed. If the
    /// file contains no date, but the resource states a filename with a date, that date is used.
    ///
    /// - Throws: `ChangeError`: `.invalidResource` if the bytes cannot be read or are neither an image nor a video;
    ///   `.wrongContentType` if the bytes have another type than the resource states.
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
