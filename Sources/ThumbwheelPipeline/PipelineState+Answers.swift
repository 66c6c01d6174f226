// MARK: Requests that the owner answers

extension PipelineState {
    /// Counts requests that the pipeline's owner has answered from its own copy of the cached renditions. They count as
    /// if `answer` had answered them. The owner updates its copy with `takeRenditionChanges`.
    ///
    /// - Parameter keys: the renditions that answered, ordered by their last use, the earliest first.
    package mutating func noteAnswered(_ counts: CachedAnswerCounts, using keys: some Sequence<RenditionKey>) {
        accounts.requestsAnswered(counts)
        for key in keys {
            store.noteUse(of: key)
            if !unused.isEmpty { noteFirstUse(key) }
        }
    }

    /// Returns the renditions that have entered or left the cache since the last call, in order. The list is empty
    /// unless the configuration sets `reportsRenditions`.
    package mutating func takeRenditionChanges() -> [RenditionChange] { store.takeChanges() }
}
