import CLibAV

/// Samples of sound that wait to be encoded, as numbers from -1 to 1, apart for each channel.
struct SoundSamples {
    private(set) var channels: [[Float]]
    var count: Int { channels[0].count }

    init(channelCount: Int) { channels = Array(repeating: [], count: max(1, channelCount)) }

    /// Appends the samples of a frame.
    ///
    /// - Returns: whether the frame has samples of a known kind, in as many channels.
    mutating func append(_ frame: AVFrame) -> Bool {
        let count = Int(frame.nb_samples)
        guard Int(frame.ch_layout.nb_channels) == channels.count, count >= 0, let data = frame.extended_data else {
            return false
        }
        let format = AVSampleFormat(rawValue: frame.format)
        let isPlanar = av_sample_fmt_is_planar(format) == 1
        for channel in channels.indices {
            guard let plane = isPlanar ? data[channel] : data[0] else { return false }
            let (start, step) = isPlanar ? (0, 1) : (channel, channels.count)
            func append<Sample>(_ type: Sample.Type, _ level: (Sample) -> Float) {
                let samples = UnsafeRawPointer(plane).assumingMemoryBound(to: type)
                for index in 0..<count { channels[channel].append(level(samples[start + index * step])) }
            }
            switch format {
            case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P: append(UInt8.self) { (Float($0) - 128) / 128 }
            case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: append(Int16.self) { Float($0) / 32768 }
            case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P: append(Int32.self) { Float($0) / 2_147_483_648 }
            case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: append(Float.self) { $0.isFinite ? max(-1, min($0, 1)) : 0 }
            case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
                append(Double.self) { $0.isFinite ? Float(max(-1, min($0, 1))) : 0 }
            default: return false
            }
        }
        return true
    }

    /// Appends silence.
    mutating func appendSilence(_ count: Int) {
        for channel in channels.indices { channels[channel].append(contentsOf: repeatElement(0, count: count)) }
    }

    /// Moves the first samples into the planes of a frame.
    mutating func move(_ count: Int, to frame: UnsafeMutablePointer<AVFrame>) {
        for channel in channels.indices {
            guard let plane = frame.pointee.extended_data[channel] else { continue }
            UnsafeMutableRawPointer(plane).withMemoryRebound(to: Float.self, capacity: count) { samples in
                for index in 0..<count { samples[index] = channels[channel][index] }
            }
            channels[channel].removeFirst(count)
        }
    }

    /// Drops the first samples.
    mutating func drop(_ count: Int) {
        for channel in channels.indices { channels[channel].removeFirst(count) }
    }
}
