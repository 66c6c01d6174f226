#if os(Linux)
import Glibc
import ThumbwheelCore

/// The search for the executable of decoder processes.
enum DecoderExecutable {
    /// The environment variable that names the executable.
    static let variable = "THUMBWHEEL_DECODER"

    /// The path of the executable: the one that the host's configuration names, else the one that the environment names,
    /// else `thumbwheel-decoder` in the folder of the host's own executable.
    ///
    /// - Throws: `.unavailable` if there is no such executable.
    static func path(configured: String?) throws(RenderError) -> String {
        var path = configured
        if path == nil, let value = getenv(variable) { path = String(cString: value) }
        let found = path ?? ownFolder.map { $0 + "/" + DecoderProgram.name }
        guard let found else { throw .unavailable(reason: "the folder of the executable cannot be told") }
        guard access(found, X_OK) == 0 else { throw .unavailable(reason: "no executable at \(found)") }
        return found
    }

    private static var ownFolder: String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        guard count > 0, let slash = bytes[..<count].lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: bytes[..<slash], as: UTF8.self)
    }
}
#endif
