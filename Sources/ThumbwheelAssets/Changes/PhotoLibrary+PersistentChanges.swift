extension PhotoLibrary {
    /// The token of the present point in the library's history; cheap to read.
    public var currentChangeToken: ChangeToken {
        core.read { ChangeToken(timeline: $0.history.currentTimeline, number: $0.snapshot.number) }
    }

    /// The transactions since a point in the history, oldest first. A limited view learns only of changes to assets
    /// that it may see.
    ///
    /// - Throws: `PersistentChangeError.tokenExpired` if the token is too old, belongs to another library, or marks a
    ///   change that was lost.
    /// - Complexity: linear in the number of transactions since then.
    public func fetchPersistentChanges(
        since token: ChangeToken
    ) throws(PersistentChangeError) -> [PersistentChange] {
        let (history, number) = core.read { ($0.history, $0.snapshot.number) }
        guard history.contains(token, upTo: number), token.number + UInt64(history.entries.count) >= number
        else { throw .tokenExpired }
        let view = view
        return history.entries.suffix(Int(number - token.number)).map { entry in
            PersistentChange(token: history.token(entry.number), entry: entry.seen(by: view))
        }
    }
}
