/// The clips that tests and measurements use.
package enum ClipLibrary {
    private static let date = ["-metadata", "creation_time=2023-05-06T07:08:09Z"]
    private static let place = ["-metadata", "location=+48.2085+016.3721+171/"]

    /// Small clips of every container, coding and kind of head.
    package static let all: [Clip] = [
        Clip("h264.mp4", encoder: "libx264", Clip.Pictures(), ["-c:a", "aac"] + date + place),
        Clip("front.mp4", of: ["h264.mp4"], ["-movflags", "+faststart"]),
        Clip("fragments.mp4", of: ["h264.mp4"], ["-movflags", "frag_keyframe+empty_moov"]),
        Clip("index.mp4", of: ["h264.mp4"], ["-movflags", "empty_moov+dash+global_sidx", "-frag_duration", "500000"]),
        Clip("right.mov", of: ["h264.mp4"], quarterTurns: 1),
        Clip("down.mov", of: ["h264.mp4"], quarterTurns: 2),
        Clip("left.mov", of: ["h264.mp4"], quarterTurns: 3),
        Clip("phone.3gp", of: ["h264.mp4"]),
        Clip("delayed.mp4", of: ["h264.mp4"], ["-output_ts_offset", "0.5"]),
        Clip(
            "live.mov", of: ["h264.mp4"],
            [
                "-movflags", "use_metadata_tags", "-metadata", "com.apple.quicktime.content.identifier=CLIP-LIVE",
                "-metadata", "com.apple.quicktime.creationdate=2023-05-06T09:08:09+0200",
            ]),
        Clip(
            "lapse.mov", of: ["h264.mp4"],
            ["-movflags", "use_metadata_tags", "-metadata", "com.apple.photos.captureMode=Time-lapse"]),
        Clip(
            "android.mp4", of: ["h264.mp4"],
            ["-movflags", "use_metadata_tags", "-metadata", "com.android.capture.fps=240.0"]),
        Clip("slow.mov", encoder: "libx264", Clip.Pictures(rate: "240", seconds: 1, hasSound: false)),
        Clip(
            "wide.mp4", encoder: "libx264", Clip.Pictures(width: 720, height: 576, rate: "25", seconds: 1),
            ["-vf", "setsar=64/45", "-c:a", "aac"]),
        Clip("wide.mkv", of: ["wide.mp4"]),
        Clip(
            "hdr.mov", encoder: "libx265", Clip.Pictures(seconds: 1),
            [
                "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace",
                "bt2020nc", "-tag:v", "hvc1", "-c:a", "aac",
            ]),
        Clip("av1.mp4", encoder: "libsvtav1", Clip.Pictures(seconds: 1, hasSound: false)),
        Clip("vp9.webm", encoder: "libvpx-vp9", Clip.Pictures(), ["-c:a", "libopus"] + date),
        Clip("vp8.webm", encoder: "libvpx", Clip.Pictures(hasSound: false)),
        Clip("h264.mkv", encoder: "libx264", Clip.Pictures(), ["-c:a", "aac"] + date),
        Clip("mpeg4.avi", encoder: "mpeg4", Clip.Pictures(), ["-c:a", "mp2"] + date),
        Clip("mjpeg.avi", encoder: "mjpeg", Clip.Pictures(seconds: 1), ["-c:a", "pcm_s16le"]),
        Clip(
            "cover.jpg", encoder: "mjpeg", Clip.Pictures(width: 160, height: 90, hasSound: false), ["-frames:v", "1"]),
        Clip("cover.mp4", of: ["h264.mp4", "cover.jpg"], ["-disposition:v:1", "attached_pic"]),
    ]

    /// The clips to measure with: all sizes and codings, ten seconds and an hour, with their indexes at the end.
    package static let large: [Clip] = [
        ("libx264", "h264", "mp4"), ("libx265", "hevc", "mp4"), ("libvpx-vp9", "vp9", "webm"),
        ("libsvtav1", "av1", "mp4"),
    ].flatMap { encoder, name, container in
        [(1920, 1080, "1080p"), (3840, 2160, "4k")].flatMap { width, height, size in
            let short = "\(name)-\(size)-10s.\(container)"
            let tag = encoder == "libx265" ? ["-tag:v", "hvc1"] : []
            return [
                Clip(
                    short, encoder: encoder, Clip.Pictures(width: width, height: height, rate: "30", seconds: 10),
                    ["-g", "60"] + tag + (container == "webm" ? ["-c:a", "libopus"] : ["-c:a", "aac"])),
                Clip("\(name)-\(size)-1h.\(container)", of: [short], repetitions: 360, tag),
            ]
        }
    }

    /// The clip of a name.
    package static func clip(_ name: String) throws(FixtureError) -> Clip {
        guard let clip = (all + large).first(where: { $0.name == name }) else { throw .file(name, "no such clip") }
        return clip
    }

    /// Writes clips that are missing into a folder.
    ///
    /// - Returns: the clips that ffmpeg cannot make here, with the reasons.
    package static func write(_ clips: [Clip], to directory: String) throws(FixtureError) -> [(Clip, FixtureError)] {
        guard let maker = ClipMaker() else { throw .missingEncoder("clips: the command ffmpeg") }
        try FixtureFiles.makeDirectory(directory)
        var skipped: [(Clip, FixtureError)] = []
        for clip in clips {
            do throws(FixtureError) {
                try maker.make(clip, in: directory)
            } catch {
                skipped.append((clip, error))
            }
        }
        return skipped
    }
}
