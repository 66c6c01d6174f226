import Foundation

/// The most memory that the process has held at once.
package enum PeakMemory {
    /// Nil where the system does not tell.
    package static var byteCount: Int? {
        // Files under /proc are read in a loop: they have no length to read by.
        guard let status = try? FileHandle(forReadingAtPath: "/proc/self/status")?.readToEnd(),
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
                .first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return kilobytes << 10
    }
}
