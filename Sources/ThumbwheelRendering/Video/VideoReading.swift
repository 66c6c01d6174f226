import ThumbwheelCore
import ThumbwheelFormats

/// An open video. One rendering may make several images from different frames of it. The frame that was decoded last is
/// kept, so that the next image of the same frame needs no decode.
final class VideoReading {
    let head: VideoHead
    private let decoder: any VideoDecoder
    private var current: Decoded?
    /// The key frame that was read last, with the time for which it was read; nil if the decoder may have read on.
    private var lastRead: (seconds: Double, keyFrame: KeyFrame)?

    private struct Decoded {
        let keyFrame: KeyFrame
        let frame: VideoFrame
        let isFiltered: Bool
    }

    /// The times, in seconds, near which key frames are looked at, one after the other, until one is suitable as the
    /// poster (the frame that represents the video). Several times are needed, because many videos begin with black.
    private static let posterTimes = [0.0, 1, 2, 4, 8, 16, 32]
    /// The largest number of bytes of all key frames together that are read to choose the poster, the frame that
    /// represents the video. The first key frame is always read, and its bytes are not counted.
    private static let posterByteLimit = 2 << 20

    init(_ bytes: any ByteSource, limits: RenderLimits, guardian: DecodeGuard) throws(RenderError) {
        do throws(HeadError) {
            head = try VideoHead(readingForFrames: bytes)
        } catch {
            throw RenderError(error)
        }
        guard head.codedSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        try guardian.checkForeignCodeIsAllowed()
        decoder = try VideoDecoders.make(
            VideoDecoders.Input(
                bytes: bytes, head: head, limits: limits, byteLimit: limits.byteCount,
                interruption: { guardian.interruption }))
    }

    /// Takes over a video that a decoder has opened already.
    init(_ head: VideoHead, decoder: any VideoDecoder) {
        self.head = head
        self.decoder = decoder
    }

    /// Decodes the frame that an image shows.
    ///
    /// - Parameters:
    ///   - seconds: the time at or near which the frame lies; nil for the poster, the first key frame that is neither
    ///     black nor of one colour.
    ///   - isFiltered: whether the filters that smooth the edges of blocks after decoding are applied.
    /// - Returns: a frame that is valid until the next call.
    func frame(at seconds: Double?, isFiltered: Bool) throws(RenderError) -> VideoFrame {
        if let seconds { return try frame(near: seconds, isFiltered: isFiltered) }
        var best: (time: Double, contrast: Double)?
        var last: Double?
        var damage: RenderError?
        try forEachPosterKeyFrame { time, keyFrame throws(RenderError) in
            let frame: VideoFrame
            do throws(RenderError) {
                frame = try decoded(keyFrame, isFiltered: isFiltered)
            } catch {
                guard error.isDamage else { throw error }
                damage = damage ?? error
                return true
            }
            last = time
            let statistics = FrameStatistics(frame.picture)
            if statistics.isInformative || statistics.contrast > best?.contrast ?? -1 {
                best = (time, statistics.contrast)
            }
            return !statistics.isInformative
        }
        guard let best else { throw damage ?? .truncated(decodedFraction: 0) }
        // `best` is the first frame that is neither black nor of one colour or, if there is no such frame, the one with
        // the highest contrast. If it was decoded last, it is still in memory and is not decoded again.
        if best.time == last, let current { return current.frame }
        return try decoded(readKeyFrame(nearestTo: best.time), isFiltered: isFiltered)
    }

    /// Reads the bytes that `frame(at:isFiltered:)` may read, without decoding anything. If the file is not stored
    /// locally, this fetches the needed parts of it: the byte source of the video is then a `RangeGatherer`, which
    /// keeps in memory all bytes that are read.
    ///
    /// - Parameter readsAlternatives: whether all frames are read from which the poster may be chosen. If not, only the
    ///   first one is, which nearly always becomes the poster.
    func readFrame(at seconds: Double?, readsAlternatives: Bool) throws(RenderError) {
        if let seconds {
            let keyFrame = try readKeyFrame(nearestTo: seconds)
            if let search = FrameSearch(head, at: seconds, keyFrameSeconds: keyFrame.seconds) {
                lastRead = nil
                try decoder.readFrames(for: search)
            }
        } else {
            try forEachPosterKeyFrame { _, _ throws(RenderError) in readsAlternatives }
        }
    }

    /// Reads, one after the other, the key frames from which the poster (the frame that represents the video) is
    /// chosen. Stops early if `body` returns false.
    private func forEachPosterKeyFrame(
        _ body: (_ time: Double, _ keyFrame: KeyFrame) throws(RenderError) -> Bool
    ) throws(RenderError) {
        var left = Self.posterByteLimit
        var previous: KeyFrame?
        let end = head.duration > 0 ? head.duration : .infinity
        for time in Self.posterTimes where time == 0 || time < end {
            let keyFrame: KeyFrame
            do throws(RenderError) {
                keyFrame = try readKeyFrame(nearestTo: time)
            } catch {
                // Ends the search without an error if the file is damaged after its first key frame. The poster is then
                // chosen from the key frames that have been read.
                guard error.isDamage, previous != nil else { throw error }
                return
            }
            guard keyFrame != previous else { continue }
            if previous != nil {
                left -= keyFrame.byteCount
                guard left >= 0 else { return }
            }
            previous = keyFrame
            guard try body(time, keyFrame) else { return }
        }
    }

    /// Whether the frame that was handed out last is also shown at another time. Coded data may be read to find out,
    /// and nothing is decoded.
    func repeatsFrame(at seconds: Double) throws(RenderError) -> Bool {
        if let search = continuedSearch(to: seconds) { return decoder.hasFrame(for: search) }
        let keyFrame = try readKeyFrame(nearestTo: seconds)
        return current?.keyFrame == keyFrame
            && FrameSearch(head, at: seconds, keyFrameSeconds: keyFrame.seconds) == nil
    }

    /// Decodes the key frame nearest to a time or, if it is too far from it, the frame at the time.
    private func frame(near seconds: Double, isFiltered: Bool) throws(RenderError) -> VideoFrame {
        if let search = continuedSearch(to: seconds), let frame = try decoded(for: search) { return frame }
        let keyFrame = try readKeyFrame(nearestTo: seconds)
        guard let search = FrameSearch(head, at: seconds, keyFrameSeconds: keyFrame.seconds) else {
            return try decoded(keyFrame, isFiltered: isFiltered)
        }
        if let frame = try decoded(for: search) { return frame }
        return try decoded(readKeyFrame(nearestTo: seconds), isFiltered: isFiltered)
    }

    /// The search for the frame at a time, if it goes on where the last one has ended.
    private func continuedSearch(to seconds: Double) -> FrameSearch? {
        decoder.keyFrameSeconds(continuingTo: seconds).flatMap {
            FrameSearch(head, at: seconds, keyFrameSeconds: $0)
        }
    }

    /// Reads the key frame nearest to a time, unless it was read last.
    private func readKeyFrame(nearestTo seconds: Double) throws(RenderError) -> KeyFrame {
        if let lastRead, lastRead.seconds == seconds { return lastRead.keyFrame }
        lastRead = nil
        let keyFrame = try decoder.readKeyFrame(nearestTo: seconds)
        lastRead = (seconds, keyFrame)
        return keyFrame
    }

    /// Decodes the frame at a time; nil if the nearest key frame is to be shown, also because of damage before the
    /// frame.
    private func decoded(for search: FrameSearch) throws(RenderError) -> VideoFrame? {
        (current, lastRead) = (nil, nil)
        do throws(RenderError) {
            return try decoder.decodeFrame(for: search)
        } catch  where error.isDamage {
            return nil
        }
    }

    private func decoded(_ keyFrame: KeyFrame, isFiltered: Bool) throws(RenderError) -> VideoFrame {
        if let current, current.keyFrame == keyFrame, current.isFiltered || !isFiltered { return current.frame }
        // A decode may read frames behind the key frame.
        (current, lastRead) = (nil, nil)
        let frame = try decoder.decode(isFiltered: isFiltered)
        current = Decoded(keyFrame: keyFrame, frame: frame, isFiltered: isFiltered)
        return frame
    }
}
