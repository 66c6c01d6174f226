import Foundation
import TestSupport
import Testing

@Suite(
    "SimulationTool",
    .enabled(if: ThumbwheelProcess.simulationTool != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)),
    .endsHangs)
struct SimulationToolTests {
    @Test("the simulating process reports its progress, and ends when its parent process ends")
    func endsWithParent() throws {
        let process = Process()
        process.executableURL = ThumbwheelProcess.simulationTool
        // Few enough seeds for an orphaned simulating process to end by itself.
        process.arguments = ["--seeds", "20000"]
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = try ProcessStart.perform {
            let (output, errors) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            return (output, errors)
        }
        // The simulating process writes this line, and its parent passes it on.
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let part = errors.fileHandleForReading.availableData
            try #require(!part.isEmpty)
            said += part
        }
        #expect(String(decoding: said, as: UTF8.self).hasPrefix("0 of 20000 histories"))
        // SIGKILL works in every case: Foundation blocks other signals in processes that it starts from a pool's
        // thread.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // Both processes hold the pipe: it ends once both have ended.
        #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
    }
}

extension ThumbwheelProcess {
    /// The simulation tool, which is built beside the command.
    static let simulationTool: URL? = {
        guard let executable else { return nil }
        let tool = URL(filePath: executable).deletingLastPathComponent().appending(path: "SimulationTool")
        return FileManager.default.isExecutableFile(atPath: tool.path()) ? tool : nil
    }()
}
