import Foundation
import Testing

@Suite(
    "SimulationTool",
    .enabled(if: ThumbwheelProcess.simulationTool != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)))
struct SimulationToolTests {
    @Test("the process that simulates says how far it is, and ends with the one that waits for it")
    func endsWithParent() throws {
        let process = Process()
        process.executableURL = ThumbwheelProcess.simulationTool
        // Few enough to come to an end, and say so, should the one that simulates be left alone.
        process.arguments = ["--seeds", "20000"]
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Said by the one that simulates, and passed on.
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let part = errors.fileHandleForReading.availableData
            try #require(!part.isEmpty)
            said += part
        }
        #expect(String(decoding: said, as: UTF8.self).hasPrefix("0 of 20000 histories"))
        // However it ends: Foundation has other signals blocked in what it starts from a thread of a pool.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // Both have it: it ends when neither is there any more.
        #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
    }
}

extension ThumbwheelProcess {
    /// Built beside the command.
    static let simulationTool: URL? = {
        guard let executable else { return nil }
        let tool = URL(filePath: executable).deletingLastPathComponent().appending(path: "SimulationTool")
        return FileManager.default.isExecutableFile(atPath: tool.path()) ? tool : nil
    }()
}
