import Foundation

/// Makes clips with the command `ffmpeg`, where it is installed.
package struct ClipMaker: Sendable {
    private let path: String
    /// The encoders that this ffmpeg has.
    private let encoders: Set<String>

    /// Looks for ffmpeg; nil if it is not installed.
    package init?() {
        guard let path = Self.path(of: "ffmpeg"), let list = try? Self.output(path, ["-hide_banner", "-encoders"])
        else {
            return nil
        }
        self.path = path
        // A line has six letters of properties, and the encoder's name.
        encoders = Set(
            String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                return words.count > 1 && words[0].count == 6 ? String(words[1]) : nil
            })
    }

    /// Whether ffmpeg has the encoder of a clip.
    package func canMake(_ clip: Clip) -> Bool { clip.encoder == "copy" || encoders.contains(clip.encoder) }

    /// Writes a clip, and the clips that it is made of, into a folder. Files that exist are kept.
    ///
    /// - Throws: `FixtureError.missingEncoder` if ffmpeg cannot encode it.
    @discardableResult
    package func make(_ clip: Clip, in directory: String) throws(FixtureError) -> String {
        let target = "\(directory)/\(clip.name)"
        if FileManager.default.fileExists(atPath: target) { return target }
        guard canMake(clip) else { throw .missingEncoder(clip.encoder) }
        for part in clip.parts {
            try make(ClipLibrary.clip(part), in: directory)
        }
        // Only whole files get their names.
        let unfinished = "\(directory)/unfinished-\(clip.name)"
        _ = try Self.output(path, clip.arguments(in: directory) + [unfinished])
        if clip.quarterTurns != 0 { try ClipRotation.turn(unfinished, quarters: clip.quarterTurns) }
        do {
            try FileManager.default.moveItem(atPath: unfinished, toPath: target)
        } catch {
            throw .file(target, "\(error)")
        }
        return target
    }

    /// The path of a command among those of the environment; nil if there is none.
    package static func path(of command: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(command)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a command and returns what it writes to its standard output.
    package static func output(_ path: String, _ arguments: [String]) throws(FixtureError) -> Data {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        // Some encoders praise themselves at length.
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw FixtureError.encoder(path, "status \(process.terminationStatus)")
            }
            return data
        } catch {
            throw error as? FixtureError ?? .encoder(path, "\(error)")
        }
    }
}
