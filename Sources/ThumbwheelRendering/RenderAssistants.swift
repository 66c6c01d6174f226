/// Threads that may be idle. A renderer of a large image hands parts of it to them.
package protocol RenderAssistants: Sendable {
    /// Has an idle thread do a piece of work.
    ///
    /// - Parameter work: is told how to find out whether the thread is wanted for something better, asks every tenth of a
    ///   millisecond or so, and returns soon where it is.
    /// - Returns: false where no thread is idle.
    func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool
}
