import Foundation
import TestSupport

/// The built `thumbwheel` command, run as its users run it.
struct ThumbwheelProcess {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        /// Standard output, read as a JSON document.
        var document: [String: Any]? {
            (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
        }
    }

    /// Where the command is; nil where it has not been built.
    static let executable: String? = {
        guard let path = ProcessInfo.processInfo.environment["THUMBWHEEL_EXECUTABLE"],
            FileManager.default.isExecutableFile(atPath: path)
        else { return nil }
        return path
    }()

    static let reasonToSkip = "THUMBWHEEL_EXECUTABLE does not name the built command; `make test` sets it"

    static func run(_ arguments: String...) throws -> Outcome {
        try run(executable!, arguments)
    }

    /// Runs a command that takes minutes. A test that waits for it by `run` keeps one of the few threads on which all tests run.
    static func runLong(_ executable: String, _ arguments: [String]) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try run(executable, arguments) }) }
        }
    }

    static func run(_ executable: String, _ arguments: [String], in folder: String? = nil) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.standardInput = FileHandle.nullDevice
        let scratch = try TemporaryFolder()
        // Files instead of pipes: a command that says much on both cannot block.
        let output = try scratch.newFile("output")
        let errors = try scratch.newFile("errors")
        process.standardOutput = output
        process.standardError = errors
        try ProcessStart.perform { try process.run() }
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try scratch.text(of: "output"),
            errors: try scratch.text(of: "errors"))
    }
}

/// A folder that goes away with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("thumbwheel-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    func newFile(_ name: String) throws -> FileHandle {
        try write("", to: name)
        return try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
    }

    var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

/// Folders of the checkout that tests read.
enum Checkout {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let fixtures = root + "/Fixtures/library"
    static let damaged = root + "/Fixtures/damaged"
}
