import ThumbwheelCore

extension PhotographFacts {
    /// Reads the facts of a video, within the limits of `VideoHead(reading:filename:)`.
    ///
    /// The `head` describes the video like an image: its `contentType` is the type of the video, and its `storedSize`
    /// is the size in which the video is shown. If the file contains a cover picture that can be read, it is the only
    /// preview, and the facts about coding and colours are those of the cover picture.
    ///
    /// - Parameter filename: the name of the file; nil if it should not be used. The date is read from the name if the
    ///   file's contents state none. The name can also show that the video is a screen recording.
    /// - Throws: `HeadError`, if the header of the video cannot be read.
    public init(readingVideo source: any ByteSource, filename: String? = nil) throws(HeadError) {
        let video = try VideoHead(reading: source, filename: filename)
        self.init(head: try ImageHead(of: video, in: source))
        location = video.location
        dateSource = video.dateSource
        kinds = video.kinds
        contentIdentifier = video.contentIdentifier
        duration = video.duration
    }
}

extension ImageHead {
    fileprivate init(of video: VideoHead, in source: any ByteSource) throws(HeadError) {
        self.init(contentType: video.contentType, storedSize: video.displaySize)
        if var cover = video.cover, let picture = try Self.picture(of: cover, in: source) {
            self = picture
            contentType = video.contentType
            storedSize = video.displaySize
            orientation = .up
            cover.pixelSize = picture.displaySize
            previews = [cover]
        }
        captureDate = video.captureDate
        let count = min(video.sampleCount, Self.indexCountLimit)
        // Keeps four significant bits, of which the first is 1.
        let step = 1 << max(0, Int.bitWidth - count.leadingZeroBitCount - 4)
        indexCount = (count + step - 1) / step * step
    }

    /// Returns the facts about a cover picture; nil if it is damaged.
    private static func picture(
        of cover: EmbeddedPreview, in source: any ByteSource
    ) throws(HeadError) -> ImageHead? {
        do throws(HeadError) {
            return try ImageHead(reading: SubrangeByteSource(source, range: cover.byteRange))
        } catch  where error.concernsBytes {
            return nil
        }
    }
}
