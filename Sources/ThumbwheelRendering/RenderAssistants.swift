/// Threads that help to render large images while they are idle.
package protocol RenderAssistants: Sendable {
    /// Runs a piece of work on an idle thread, if there is one.
    ///
    /// - Parameter work: the work. It gets a function that returns whether the thread is needed for other work. It calls
    ///   that function about every tenth of a millisecond, and returns soon after the answer is yes.
    /// - Returns: false if no thread is idle, in which case `work` is not run.
    func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool
}
