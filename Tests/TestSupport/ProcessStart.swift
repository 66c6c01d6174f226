import Foundation

/// Starts child processes, each together with the making of its pipes, one after the other.
///
/// Foundation closes those descriptors in a child that are open when it counts them. A descriptor that another thread makes between
/// the count and the start would be the child's too. Whoever reads a pipe to its end would then wait for the end of that child.
package enum ProcessStart {
    private static let turn = NSLock()

    /// Calls `body`, which makes pipes and starts a process, while no other one is started.
    package static func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
        try turn.withLock(body)
    }
}
