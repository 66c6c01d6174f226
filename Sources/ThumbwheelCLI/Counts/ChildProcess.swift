import Foundation

/// Runs a program to its end.
enum ChildProcess {
    struct Outcome {
        let status: Int32
        let output: Data
        let errors: String

        /// Why it failed, without the name that this command begins its lines with.
        var reason: String {
            errors.split(separator: "\n").last.map { String($0.trimmingPrefix("thumbwheel: ")) } ?? "status \(status)"
        }
    }

    /// The file of this very program.
    static var ownPath: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

    static func run(_ executable: String, _ arguments: [String]) throws(CommandError) -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        do {
            try process.run()
            // What it complains of is short; what it answers is read while it writes.
            let answer = try output.fileHandleForReading.readToEnd() ?? Data()
            let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus, output: answer, errors: String(decoding: complaints, as: UTF8.self))
        } catch {
            throw CommandError("\(executable): \(error.localizedDescription)")
        }
    }

    /// Begins this program anew where the standard library seeds its hashing, which would make every count another one.
    static func ensureDeterministicHashing() throws(CommandError) {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(name) == nil else { return }
        setenv(name, "1", 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv(ownPath, &arguments)
        throw CommandError("\(ownPath): \(String(cString: strerror(errno)))")
    }
}
