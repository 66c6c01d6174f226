import Foundation
import Thumbwheel
import ThumbwheelReplay

/// A program beside which something is measured, where it is installed. Its output is thrown away.
struct PeerProgram {
    private let name: String

    init(_ name: String) { self.name = name }

    /// The mean processor time of some runs in milliseconds; nil if the program is not installed.
    func processorTime(_ arguments: [String], times: Int = 1) throws -> Double? {
        let start = ProcessUsage.ofChildren.cpuSeconds
        for _ in 0..<times where try run(arguments) == Self.missing { return nil }
        return (ProcessUsage.ofChildren.cpuSeconds - start) * 1000 / Double(times)
    }

    /// The time of a run in milliseconds; nil if the program is not installed or fails.
    func time(_ arguments: [String]) throws -> Double? {
        let (time, status) = try Stopwatch.milliseconds { try run(arguments) }
        return status == 0 ? time : nil
    }

    /// The status with which env ends if there is no such program.
    private static let missing: Int32 = 127

    /// Runs the program, and returns the status with which it ends.
    private func run(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
