import CLibAV

/// The part of a video that an export keeps, by the times of packets.
struct WantedPart {
    /// Where a packet lies.
    enum Place {
        /// In front of the part; it is not written.
        case before
        /// In the part, or in front of it among the frames from which those of the part are decoded.
        case inside
        /// Shown after the part, but stored among packets that are in it.
        case afterwards
        /// Behind the part, and so are all packets that follow in its stream.
        case behind
    }

    /// The beginning and the end as time stamps of the stream that is shown; nil for the whole video.
    private let stamps: (start: Int64, end: Int64)?
    private let unit: AVRational

    init(_ range: Range<Double>?, of file: VideoFile) {
        unit = file.stream.pointee.time_base
        stamps = range.map { (file.timestamp(of: $0.lowerBound), file.timestamp(of: $0.upperBound)) }
    }

    /// - Parameter isSound: whether each packet of the stream is decoded by itself.
    func place(of packet: AVPacket, in stream: AVStream, isSound: Bool) -> Place {
        guard let stamps else { return .inside }
        let (start, end) = (scaled(stamps.start, to: stream), scaled(stamps.end, to: stream))
        let shown = packet.pts == tw_no_timestamp ? packet.dts : packet.pts
        guard shown != tw_no_timestamp else { return .inside }
        let decoded = packet.dts == tw_no_timestamp ? shown : packet.dts
        if decoded >= end { return .behind }
        if shown >= end { return .afterwards }
        return isSound && shown &+ packet.duration <= start ? .before : .inside
    }

    /// Whether a frame of the stream that is shown lies in the part.
    func contains(_ timestamp: Int64) -> Bool { stamps.map { $0.start..<max($0.start, $0.end) ~= timestamp } ?? true }

    /// Moves a packet's times, so that the part begins at 0. Frames in front of it get negative times, and players that
    /// obey edit lists do not show them.
    func shift(_ packet: UnsafeMutablePointer<AVPacket>, in stream: AVStream) {
        guard let stamps else { return }
        let start = scaled(stamps.start, to: stream)
        if packet.pointee.pts != tw_no_timestamp { packet.pointee.pts -= start }
        if packet.pointee.dts != tw_no_timestamp { packet.pointee.dts -= start }
    }

    /// Returns the time stamp of a frame of the stream that is shown, from the beginning of the part.
    func shifted(_ timestamp: Int64) -> Int64 { timestamp - (stamps?.start ?? 0) }

    /// The fraction of the part that lies in front of a packet of the stream that is shown.
    ///
    /// - Parameter duration: the duration of the whole video in seconds; 0 if it is not known.
    func fraction(at packet: AVPacket, of duration: Double) -> Double? {
        let time = packet.dts == tw_no_timestamp ? packet.pts : packet.dts
        guard time != tw_no_timestamp else { return nil }
        let length =
            stamps.map { Double($0.end - $0.start) } ?? duration / (Double(unit.num) / Double(max(1, unit.den)))
        guard length > 0 else { return nil }
        return max(0, min(Double(shifted(time)) / length, 1))
    }

    private func scaled(_ timestamp: Int64, to stream: AVStream) -> Int64 {
        av_rescale_q(timestamp, unit, stream.time_base)
    }
}
