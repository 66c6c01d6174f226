import ThumbwheelCore

extension VideoHead {
    /// The rate, in pictures a second, from which on a video counts as recorded for slow motion.
    private static let slowMotionRate = 100.0

    /// Takes the facts that a container's texts and keys state.
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

    /// Takes the rate at which an Android phone recorded. Pictures that are shown more slowly than they were recorded are slow
    /// motion, and pictures that are shown much faster are a time-lapse.
    private mutating func takeCaptureRate(_ rate: Double) {
        let fact = "com.android.capture.fps \(rate)"
        if rate >= Self.slowMotionRate {
            add(.slowMotion, by: fact)
        } else if let shown = frameRate, rate > 0, rate * 2 <= shown {
            add(.timelapse, by: fact)
        }
    }

    /// Takes a date if no better source has one.
    mutating func adopt(_ date: CaptureDate?, from source: DateSource) {
        guard captureDate == nil, let date else { return }
        captureDate = date
        dateSource = source
    }

    mutating func add(_ kind: PictureKind, by fact: String) {
        if kinds[kind] == nil { kinds[kind] = fact }
    }

    /// Takes the date and the kind that phones and desktops put into the names of their files.
    mutating func takeFacts(fromName filename: String) {
        adopt(CaptureDate(filename: filename), from: .filename)
        let name = filename.lowercased()
        if Self.recordingNames.contains(where: name.contains) { add(.screenRecording, by: "the file's name") }
    }

    /// How the names of screen recordings begin, or what they contain: those of iOS (`ScreenRecording_01-02-2023`,
    /// `RPReplay_Final`), of macOS (`Screen Recording 2023-01-02`), and of Android (`screen-20230102-030405`,
    /// `Screen_Recording_20230102`, `Screenrecorder-2023-01-02`).
    private static let recordingNames = [
        "screenrecord", "screen recording", "screen_recording", "rpreplay", "screen-20",
    ]
}
