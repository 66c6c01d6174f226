/// Worker threads that help to render large images while the threads have no other work.
package protocol RenderAssistants: Sendable {
    /// Runs work on an idle thread, if there is one.
    ///
    /// - Parameter work: the work. Its argument is a function that returns whether the thread is needed for other work.
    ///   `work` must call that function about every tenth of a millisecond, and must return soon after the answer is
    ///   yes.
    /// - Returns: false if no thread is idle, in which case `work` is not run.
    func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool
}
