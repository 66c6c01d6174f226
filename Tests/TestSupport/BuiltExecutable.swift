import Foundation

/// Executables that the build has put beside the tests.
public enum BuiltExecutable {
    /// The path of the executable `name`; nil if it has not been built.
    public static func path(_ name: String) -> String? {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        let paths = [bundle, try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")]
        return paths.compactMap { $0.map { URL(filePath: $0).deletingLastPathComponent().path + "/" + name } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
