import FixtureKit

/// `FixtureTool OUTPUT_DIR [--sums FILE] [--write-sums]`.
struct FixtureCommand {
    static let usage = """
        usage: FixtureTool OUTPUT_DIR [--sums FILE] [--write-sums]
               FixtureTool --large OUTPUT_DIR
               FixtureTool --formats OUTPUT_DIR PHOTO...
               FixtureTool --clips OUTPUT_DIR [CLIP...]
          OUTPUT_DIR    gets the folders library and damaged
          --sums FILE   what the files must be (OUTPUT_DIR/SHA256SUMS); FILE.encoders lies beside it
          --large       write JPEGs of a hundred megapixels instead, which nothing checks
          --formats     write copies of photographs in other formats instead, a folder for each
          --clips       write videos instead, with the command ffmpeg: the small ones, or the named ones of all
          --write-sums  make all files anew and write their sums to FILE and FILE.encoders
        """

    struct UsageError: Error {
        let reason: String
    }

    private let directory: String
    private let sumsPath: String
    private let writesSums: Bool
    private let isLarge: Bool
    private let photographs: [String]?
    /// The names of the clips to write; empty for all small ones.
    private let clips: [String]?

    init(arguments: [String]) throws(UsageError) {
        var directory: String?
        var sumsPath: String?
        var writesSums = false
        var isLarge = false
        var photographs: [String]?
        var clips: [String]?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--sums":
                guard let path = rest.popFirst() else { throw UsageError(reason: "--sums needs a file") }
                sumsPath = path
            case "--write-sums":
                writesSums = true
            case "--large":
                isLarge = true
            case "--formats":
                photographs = Array(rest.dropFirst())
                rest = rest.prefix(1)
            case "--clips":
                clips = Array(rest.dropFirst())
                rest = rest.prefix(1)
            default:
                guard directory == nil, !argument.hasPrefix("-") else {
                    throw UsageError(reason: "unexpected argument \(argument)")
                }
                directory = argument
            }
        }
        guard let directory else { throw UsageError(reason: "where to?") }
        self.directory = directory
        self.sumsPath = sumsPath ?? "\(directory)/SHA256SUMS"
        self.writesSums = writesSums
        self.isLarge = isLarge
        self.photographs = photographs
        self.clips = clips
    }

    /// Writes what is missing and prints what was done; false if a file is not what it must be.
    func run() throws(FixtureError) -> Bool {
        if isLarge {
            try LargePicture.write(to: directory)
            return true
        }
        if let photographs {
            try FormatCopies.write(photographs, to: directory)
            return true
        }
        if let clips { return try writeClips(clips) }
        let known = try FixtureSums(contentsOf: sumsPath)
        let outcome = try FixtureLibrary.write(to: directory, checking: writesSums ? FixtureSums() : known)
        report(outcome)
        if writesSums { try outcome.sums.keeping(known, for: Array(outcome.skipped.keys)).write(to: sumsPath) }
        return !outcome.isFailure
    }

    private func writeClips(_ names: [String]) throws(FixtureError) -> Bool {
        let clips = try names.map(ClipLibrary.clip)
        let skipped = try ClipLibrary.write(clips.isEmpty ? ClipLibrary.all : clips, to: directory)
        for (clip, error) in skipped { print("skipped \(clip.name): \(error)") }
        return names.isEmpty || skipped.isEmpty
    }

    private func report(_ outcome: FixtureLibrary.Outcome) {
        let megabytes = outcome.byteCount / 100_000
        print(
            "\(outcome.written.count) written, \(outcome.kept.count) kept, \(megabytes / 10).\(megabytes % 10) MB")
        for (path, error) in outcome.skipped.sorted(by: { $0.key < $1.key }) { print("skipped \(path): \(error)") }
        if !writesSums { for path in outcome.unchecked { print("not checked \(path)") } }
        for path in outcome.strays { print("not ours \(path)") }
        for path in outcome.mismatched { print("MISMATCH \(path)") }
    }
}
