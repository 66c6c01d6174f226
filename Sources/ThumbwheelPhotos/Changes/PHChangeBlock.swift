import Foundation
import Thumbwheel

/// The transaction of the block of changes that is running. Change requests find it by themselves, as PhotoKit's do.
///
/// Unchecked sendability: only the thread that runs the block reads and writes the variables, and every method checks that.
final class PHChangeBlock: @unchecked Sendable {
    typealias Operation = (inout LibraryTransaction) throws(ChangeError) -> Void

    /// The block that runs on this thread. A task that the block starts inherits the value, and is refused by the checks.
    @TaskLocal private static var running: PHChangeBlock?

    private let thread = ObjectIdentifier(Thread.current)
    // The transaction lives on the stack of `run`; nil once the block has ended.
    private var transaction: UnsafeMutablePointer<LibraryTransaction>?
    // The creation of assets whose files the block has yet to name, in order.
    private var pending: [Operation] = []
    private var error: ChangeError?
    private let originals: URL

    private init(_ transaction: UnsafeMutablePointer<LibraryTransaction>, _ originals: URL) {
        self.transaction = transaction
        self.originals = originals
    }

    /// Runs a block, and then creates the assets that it has described.
    ///
    /// - Parameter originals: the folder that files move into and bytes are written to.
    /// - Throws: the error of the first request that was refused.
    static func run(
        _ transaction: inout LibraryTransaction, movingFilesTo originals: URL, _ block: () -> Void
    ) throws(ChangeError) {
        let error = withUnsafeMutablePointer(to: &transaction) { pointer in
            let running = PHChangeBlock(pointer, originals)
            $running.withValue(running, operation: block)
            running.createPending()
            running.transaction = nil
            return running.error
        }
        if let error { throw error }
    }

    /// The block that is running.
    ///
    /// - Precondition: the caller is inside a block of changes, as PhotoKit demands with an exception.
    static var current: PHChangeBlock {
        guard let running else { preconditionFailure("A change request outside of a block of changes") }
        return running
    }

    /// Carries an operation out. After the first refusal nothing is done any more.
    func perform(_ operation: Operation) {
        createPending()
        carryOut(operation)
    }

    /// Creates an asset at the end of the block, or before the next operation.
    func createLater(_ operation: @escaping Operation) {
        requireBlock()
        pending.append(operation)
    }

    /// The path of the folder that files move into and bytes are written to. It is made if it is not there.
    func originalsFolder() throws(ChangeError) -> String {
        do {
            try FileManager.default.createDirectory(at: originals, withIntermediateDirectories: true)
        } catch {
            let code = (error as? CocoaError)?.underlying as? POSIXError
            throw ChangeError(.unwritable(path: originals.path, code: code?.code.rawValue ?? EACCES))
        }
        return originals.path
    }

    private func createPending() {
        requireBlock()
        let operations = pending
        pending = []
        for operation in operations { carryOut(operation) }
    }

    private func carryOut(_ operation: Operation) {
        guard error == nil, let transaction else { return }
        do throws(ChangeError) {
            try operation(&transaction.pointee)
        } catch {
            self.error = error
        }
    }

    private func requireBlock() {
        precondition(
            thread == ObjectIdentifier(Thread.current) && transaction != nil,
            "A change request was used outside of its block of changes")
    }
}
