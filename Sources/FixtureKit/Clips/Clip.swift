/// A short video of ffmpeg's test pictures, with a sound of one tone.
package struct Clip: Sendable {
    /// What is encoded.
    package struct Pictures: Sendable {
        package var width = 320
        package var height = 180
        /// The pictures in a second, as a number or a fraction.
        package var rate = "30000/1001"
        package var seconds = 2
        package var hasSound = true

        package init(
            width: Int = 320, height: Int = 180, rate: String = "30000/1001", seconds: Int = 2, hasSound: Bool = true
        ) {
            self.width = width
            self.height = height
            self.rate = rate
            self.seconds = seconds
            self.hasSound = hasSound
        }
    }

    /// The name of the file, whose extension names the container.
    package let name: String
    /// The encoder of the pictures, by ffmpeg's name; `copy` for the pictures of another clip.
    package let encoder: String
    /// The pictures of a clip that is encoded.
    package let pictures: Pictures
    /// ffmpeg's options for the output.
    package let options: [String]
    /// The names of the clips that this one is made of; empty for one that is encoded.
    package let parts: [String]
    /// How often the first part is repeated.
    package let repetitions: Int
    /// How far the pictures are to be turned clockwise when they are shown, in quarters of a circle; MP4 and QuickTime only.
    package let quarterTurns: Int

    /// A clip that is encoded.
    package init(
        _ name: String, encoder: String, _ pictures: Pictures = Pictures(), _ options: [String] = [],
        quarterTurns: Int = 0
    ) {
        self.name = name
        self.encoder = encoder
        self.pictures = pictures
        self.options = options
        self.quarterTurns = quarterTurns
        parts = []
        repetitions = 1
    }

    /// A clip with the pictures of others.
    package init(
        _ name: String, of parts: [String], repetitions: Int = 1, _ options: [String] = [], quarterTurns: Int = 0
    ) {
        self.name = name
        self.options = options
        self.parts = parts
        self.repetitions = repetitions
        self.quarterTurns = quarterTurns
        encoder = "copy"
        pictures = Pictures()
    }

    /// ffmpeg's arguments but for the output's path.
    func arguments(in directory: String) -> [String] {
        var arguments = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-bitexact"]
        if parts.isEmpty {
            let source = "testsrc2=size=\(pictures.width)x\(pictures.height):rate=\(pictures.rate)"
            arguments += ["-f", "lavfi", "-i", "\(source):duration=\(pictures.seconds)"]
            if pictures.hasSound {
                arguments += ["-f", "lavfi", "-i", "sine=frequency=440:duration=\(pictures.seconds)"]
            }
            arguments += ["-c:v", encoder] + (Self.usual[encoder] ?? [])
        } else {
            if repetitions > 1 { arguments += ["-stream_loop", "\(repetitions - 1)"] }
            for part in parts { arguments += ["-i", "\(directory)/\(part)"] }
            for index in parts.indices { arguments += ["-map", "\(index)"] }
            arguments += ["-c", "copy"]
        }
        return arguments + ["-fflags", "+bitexact", "-flags:v", "+bitexact"] + options
    }

    /// Options that make an encoder quick.
    private static let usual: [String: [String]] = [
        "libx264": ["-preset", "veryfast", "-pix_fmt", "yuv420p"],
        "libx265": ["-preset", "ultrafast", "-x265-params", "log-level=none"],
        "libvpx-vp9": ["-deadline", "realtime", "-cpu-used", "8", "-b:v", "500k"],
        "libvpx": ["-deadline", "realtime", "-cpu-used", "8", "-b:v", "500k"],
        "libsvtav1": ["-preset", "12"],
        "libaom-av1": ["-cpu-used", "8", "-usage", "realtime"],
    ]
}
