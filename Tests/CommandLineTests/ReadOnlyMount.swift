import Foundation

/// A folder that one command sees mounted read-only, in a mount namespace of its own.
enum ReadOnlyMount {
    private static let script =
        "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && ! touch \"$0/x\" 2>/dev/null && exec \"$@\""

    /// Whether this system lets the process mount folders.
    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? run(["true"], on: folder.path))?.status == 0
    }()

    /// Runs a command to which a folder is read-only.
    static func run(_ command: [String], on folder: String) throws -> ThumbwheelProcess.Outcome {
        try ThumbwheelProcess.run("/usr/bin/unshare", ["-rm", "sh", "-c", script, folder] + command)
    }
}
