extension PhotoLibrary {
    /// The token for the present moment in the history of the library. Reading it takes little time.
    public var currentChangeToken: ChangeToken {
        core.read { ChangeToken(timeline: $0.history.currentTimeline, number: $0.snapshot.number) }
    }

    /// Returns the transactions after a moment in the history, oldest first. If the access policy allows only some
    /// assets, the changes of all other assets are left out.
    ///
    /// - Throws: `PersistentChangeError.tokenExpired` if the token is older than the history, belongs to another
    ///   library, or names a change that was lost because the library was not saved after it.
    /// - Complexity: linear in the number of transactions after that moment.
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
