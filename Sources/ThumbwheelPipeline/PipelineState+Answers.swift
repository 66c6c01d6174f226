// MARK: Requests that the pipeline's owner answers from its copy of the cache

extension PipelineState {
    /// Counts requests that the pipeline's owner has answered itself. The owner has a copy of the cached renditions,
    /// which it updates with `takeRenditionChanges`. The requests count as if the method `answer` had answered them.
    ///
    /// - Parameters:
    ///   - counts: the numbers of answered requests.
    ///   - keys: the renditions with which the owner has answered, ordered by their last use, the earliest first.
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
