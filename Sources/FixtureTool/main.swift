import FixtureKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// To standard error by its number: the C library's `stderr` is a variable that Swift 6 cannot prove safe.
func complain(_ words: String) {
    let line = words + "\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
}

do {
    let command = try FixtureCommand(arguments: Array(CommandLine.arguments.dropFirst()))
    exit(try command.run() ? 0 : 1)
} catch let error as FixtureCommand.UsageError {
    complain("\(error.reason)\n\(FixtureCommand.usage)")
    exit(2)
} catch {
    complain("\(error)")
    exit(1)
}
