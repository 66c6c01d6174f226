import Foundation
import Thumbwheel

/// The machine and the libraries that a result comes from.
public struct HostDescription: Encodable, Sendable, Equatable {
    /// The processor's model name; `unknown` if the system does not state it.
    public var processor: String
    /// The number of processors that the process may use.
    public var cores: Int
    /// The operating system's name and version.
    public var system: String
    /// The allocator, for instance `jemalloc 5.3.0` or `system`.
    public var allocator: String
    /// The versions of the libraries, by their names.
    public var libraries: [String: String]

    /// The description of this machine and this process.
    public static var current: HostDescription {
        HostDescription(
            processor: field("model name", of: "/proc/cpuinfo", separator: ":") ?? "unknown",
            cores: HostResources.current.processorCount,
            system: field("PRETTY_NAME", of: "/etc/os-release", separator: "=")
                ?? ProcessInfo.processInfo.operatingSystemVersionString,
            allocator: AllocatorStatistics().version.map { "jemalloc \($0.prefix { $0 != "-" })" } ?? "system",
            libraries: ["libvips": VipsRuntime.version])
    }

    private static func field(_ name: String, of path: String, separator: Character) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() else { return nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name {
                return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
            }
        }
        return nil
    }
}
