import CLibAV

/// The part of a video that an export keeps, by the times of packets.
struct WantedPart {
    /// Where a packet lies.
    enum Place {
        /// In front of the part; it is not written.
        case before
        /// In the part, or among the frames from which those of the part are decoded: in front of it, or shown after it
        /// but decoded within it.
        case inside
        /// Played after the part, but stored among packets that are in it.
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
        // Only the times at which packets are decoded rise.
        if packet.dts != tw_no_timestamp, packet.dts >= end { return .behind }
        // Frames of the part may be decoded from one that is shown after it.
        guard isSound else { return .inside }
        if shown >= end { return .afterwards }
        return shown &+ packet.duration <= start ? .before : .inside
    }

    /// Whether a packet lies so far behind the part that no packets of other streams that lie in it follow.
    func isFarBehind(_ packet: AVPacket, in stream: AVStream) -> Bool {
        guard let stamps, packet.dts != tw_no_timestamp else { return false }
        let unit = Double(stream.time_base.num) / Double(max(1, stream.time_base.den))
        return Double(packet.dts) - Double(scaled(stamps.end, to: stream)) >= Self.interleaving / unit
    }

    /// The most seconds by which packets that are played at the same time are stored apart from one another.
    private static let interleaving = 10.0

    /// Whether a frame of the stream that is shown lies in the part.
    func contains(_ timestamp: Int64) -> Bool { stamps.map { $0.start..<max($0.start, $0.end) ~= timestamp } ?? true }

    /// The beginning of the part as a time stamp of a stream; 0 for the whole video.
    func start(in stream: AVStream) -> Int64 { stamps.map { scaled($0.start, to: stream) } ?? 0 }

    /// Moves a packet's times, so that the part begins at 0. Frames in front of it get negative times, and players that
    /// obey edit lists do not show them. A time that cannot be moved becomes unknown.
    func shift(_ packet: UnsafeMutablePointer<AVPacket>, in stream: AVStream) {
        guard let stamps else { return }
        let start = scaled(stamps.start, to: stream)
        packet.pointee.pts = Self.moved(packet.pointee.pts, by: start) ?? tw_no_timestamp
        packet.pointee.dts = Self.moved(packet.pointee.dts, by: start) ?? tw_no_timestamp
    }

    /// Returns a time stamp counted from another one; nil if it is not known, or too far from it.
    private static func moved(_ timestamp: Int64, by start: Int64) -> Int64? {
        guard timestamp != tw_no_timestamp else { return nil }
        let (difference, overflows) = timestamp.subtractingReportingOverflow(start)
        return overflows ? nil : difference
    }

    /// Returns the time stamp of a frame of the stream that is shown, from the beginning of the part; nil if it is not
    /// known, or too far from the beginning.
    func shifted(_ timestamp: Int64) -> Int64? { Self.moved(timestamp, by: stamps?.start ?? 0) }

    /// The fraction of the part that lies in front of a packet of the stream that is shown.
    ///
    /// - Parameter duration: the duration of the whole video in seconds; 0 if it is not known.
    func fraction(at packet: AVPacket, of duration: Double) -> Double? {
        let time = packet.dts == tw_no_timestamp ? packet.pts : packet.dts
        guard time != tw_no_timestamp else { return nil }
        let start = Double(stamps?.start ?? 0)
        let length =
            stamps.map { Double($0.end) - start } ?? duration / (Double(unit.num) / Double(max(1, unit.den)))
        guard length > 0 else { return nil }
        return max(0, min((Double(time) - start) / length, 1))
    }

    private func scaled(_ timestamp: Int64, to stream: AVStream) -> Int64 {
        av_rescale_q(timestamp, unit, stream.time_base)
    }
}
