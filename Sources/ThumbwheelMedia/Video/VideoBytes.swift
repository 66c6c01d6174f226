import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// The bytes of a video as libavformat reads them: in ranges, each of which is read only when it is needed.
///
/// `context` points to this value without owning it, so the value must outlive everything that reads from `context`.
final class VideoBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The first error that ended a read; nil if all reads have succeeded.
    private(set) var failure: RenderError?
    /// Whether the index is being read. Reads are then short, because the index of a movie in fragments is spread over
    /// the file.
    var isOpening = true
    /// The file whose index grows while these bytes are read; nil before it is opened.
    var format: UnsafeMutablePointer<AVFormatContext>?
    private let input: VideoDecoders.Input
    /// The positions of boxes that libavformat passes over unread.
    private let skippedBoxes: [Int]
    private var position = 0
    private var readCount = 0
    private var fragments: FragmentGuard

    private static let bufferSize = 32 << 10
    private static let openingReadSize = 4 << 10

    /// - Parameter skipsSound: whether the indexes of tracks of sound are passed over unread, where that is possible.
    init(_ input: VideoDecoders.Input, skipsSound: Bool) throws(RenderError) {
        self.input = input
        skippedBoxes = skipsSound ? input.soundTracks : []
        fragments = FragmentGuard(limit: input.indexLimit)
        let buffer = av_malloc(Self.bufferSize)
        context = avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
            Unmanaged.passUnretained(self).toOpaque(), Self.read, nil, Self.seek)
        guard buffer != nil, context != nil else {
            av_free(buffer)
            throw .limitExceeded(limit: .memory)
        }
    }

    deinit {
        // libavformat may have replaced the buffer.
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    /// Whether the decode must stop. If so, `failure` is set.
    var isInterrupted: Bool {
        if failure == nil { failure = input.interruption() }
        return failure != nil
    }

    /// Lets other parts of the file be read after one turned out to be missing.
    func forgetMissingPart() {
        if case .truncated = failure { failure = nil }
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        Unmanaged<VideoBytes>.fromOpaque($0!).takeUnretainedValue().read(into: $1!, count: Int($2))
    }

    private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
        Unmanaged<VideoBytes>.fromOpaque($0!).takeUnretainedValue().seek(to: $1, from: $2)
    }

    private func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
        guard !isInterrupted else { return tw_averror_exit }
        guard indexCount <= input.indexLimit else {
            failure = .limitExceeded(limit: .memory)
            return tw_averror_exit
        }
        let count = isOpening ? min(count, Self.openingReadSize) : count
        readCount += count
        guard readCount <= input.byteLimit else {
            failure = .limitExceeded(limit: .bytes)
            return tw_averror_exit
        }
        do throws(ByteSourceError) {
            let read = try input.bytes.read(
                into: UnsafeMutableRawBufferPointer(start: buffer, count: count), at: position)
            let brought = UnsafeRawBufferPointer(start: buffer, count: read)
            // The indexes of further fragments are read between the frames.
            if input.isMovie, isOpening || input.isFragmented,
                fragments.finds(brought, at: position, of: input.bytes)
            {
                failure = .limitExceeded(limit: .memory)
                return tw_averror_exit
            }
            if isOpening {
                hideSkippedBoxes(in: UnsafeMutableRawBufferPointer(start: buffer, count: read), at: position)
            }
            // A file that has become shorter since it was opened is told from one that has been read to its end.
            if read == 0, position < input.bytes.byteCount { failure = .truncated(decodedFraction: 0) }
            position += read
            return read > 0 ? Int32(read) : tw_averror_eof
        } catch {
            // A source may end a read because the work was cancelled.
            failure = input.interruption() ?? .source(error)
            return tw_averror_io
        }
    }

    /// Gives each box that is to be passed over the name of free space, which libavformat skips without reading it.
    private func hideSkippedBoxes(in bytes: UnsafeMutableRawBufferPointer, at position: Int) {
        for box in skippedBoxes {
            // The name follows the size of the box.
            for (index, letter) in zip((box + 4 - position)..., "free".utf8) where bytes.indices.contains(index) {
                bytes[index] = letter
            }
        }
    }

    /// The number of entries of the index so far.
    private var indexCount: Int {
        guard let format = format?.pointee else { return 0 }
        return (0..<Int(format.nb_streams)).reduce(0) {
            $0 + Int(avformat_index_get_entries_count(format.streams[$1]))
        }
    }

    private func seek(to offset: Int64, from origin: Int32) -> Int64 {
        let length = Int64(input.bytes.byteCount)
        let target: Int64
        switch origin & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return length
        case SEEK_SET: target = offset
        case SEEK_CUR: target = Int64(position) &+ offset
        case SEEK_END: target = length &+ offset
        default: return -1
        }
        guard target >= 0 else { return -1 }
        position = Int(target)
        return target
    }
}
