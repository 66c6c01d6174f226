import Foundation

/// What the process holds in memory, and the most that it has held at once, in bytes.
package enum PeakMemory {
    /// Nil where the system does not tell.
    package static var byteCount: Int? { value(of: "VmHWM:") }

    /// What is held now.
    package static var currentByteCount: Int? { value(of: "VmRSS:") }

    /// Begins the peak anew, at what is held now.
    package static func reset() {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        guard file >= 0 else { return }
        // Linux: 5 is the peak; where it cannot be set back, it only tells too much.
        _ = write(file, "5", 1)
        close(file)
    }

    private static func value(of key: String) -> Int? {
        // Files under /proc are read in a loop: they have no length to read by.
        guard let status = try? FileHandle(forReadingAtPath: "/proc/self/status")?.readToEnd(),
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
                .first(where: { $0.hasPrefix(key) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return kilobytes << 10
    }
}
