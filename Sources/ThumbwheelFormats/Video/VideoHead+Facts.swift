import ThumbwheelCore

extension VideoHead {
    /// The lowest frame rate of a video that counts as recorded for slow motion.
    private static let slowMotionRate = 100.0

    /// Adds the facts in the metadata of the container.
    mutating func take(_ tags: VideoTags) {
        adopt(tags.date, from: .videoMetadata)
        location = tags.location ?? tags.roughLocation
        contentIdentifier = tags.contentIdentifier
        if tags.author == "ReplayKitRecording" { add(.screenRecording, by: "author ReplayKitRecording") }
        if tags.captureMode == "Time-lapse" { add(.timelapse, by: "com.apple.photos.captureMode Time-lapse") }
        if tags.cinematicIntent == 1 { add(.cinematic, by: "com.apple.quicktime.cinematic-video-intent 1") }
        if let rate = frameRate, rate >= Self.slowMotionRate, tags.fullRateIntent != 1 {
            add(.slowMotion, by: "\(Int(rate.rounded())) pictures a second")
        }
        if let rate = tags.captureRate { takeCaptureRate(rate) }
        switch codedColor?.transfer {
        case 16: add(.highDynamicRange, by: "PQ transfer")
        case 18: add(.highDynamicRange, by: "HLG transfer")
        default: break
        }
    }

    /// Adds the kind that follows from the frame rate at which an Android phone recorded. A high rate means slow
    /// motion. A rate of at most half the video's own rate means a time-lapse.
    private mutating func takeCaptureRate(_ rate: Double) {
        let fact = "com.android.capture.fps \(rate)"
        if rate >= Self.slowMotionRate {
            add(.slowMotion, by: fact)
        } else if let shown = frameRate, rate > 0, rate * 2 <= shown {
            add(.timelapse, by: fact)
        }
    }

    /// Sets the date, unless a better source has already given one.
    mutating func adopt(_ date: CaptureDate?, from source: DateSource) {
        guard captureDate == nil, let date else { return }
        captureDate = date
        dateSource = source
    }

    mutating func add(_ kind: PictureKind, by fact: String) {
        if kinds[kind] == nil { kinds[kind] = fact }
    }

    /// Adds the date and the kind that phones and desktops put into file names.
    mutating func takeFacts(fromName filename: String) {
        adopt(CaptureDate(filename: filename), from: .filename)
        let name = filename.lowercased()
        if Self.recordingNames.contains(where: name.contains) { add(.screenRecording, by: "the file's name") }
    }

    /// Parts of the names of screen recordings: those of iOS (`ScreenRecording_01-02-2023`, `RPReplay_Final`), of macOS
    /// (`Screen Recording 2023-01-02`), and of Android (`screen-20230102-030405`, `Screen_Recording_20230102`,
    /// `Screenrecorder-2023-01-02`).
    private static let recordingNames = [
        "screenrecord", "screen recording", "screen_recording", "rpreplay", "screen-20",
    ]
}
