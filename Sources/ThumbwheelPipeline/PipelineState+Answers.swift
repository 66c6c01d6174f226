// MARK: Requests that are answered elsewhere

extension PipelineState {
    /// Takes note of requests that the owner of the pipeline has answered by itself, out of its own copy of the cached
    /// renditions. They count as if `answer` had answered them. The owner keeps its copy right by `takeRenditionChanges`.
    ///
    /// - Parameter keys: the renditions that answered, in the order of their last uses.
    package mutating func noteAnswered(_ counts: CachedAnswerCounts, using keys: some Sequence<RenditionKey>) {
        accounts.requestsAnswered(counts)
        for key in keys { store.noteUse(of: key) }
    }

    /// Takes the renditions that have come and gone since the last call, in order, if the configuration asks for them.
    package mutating func takeRenditionChanges() -> [RenditionChange] { store.takeChanges() }
}
