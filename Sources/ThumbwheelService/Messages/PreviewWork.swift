/// Pictures that are being made for one answer. Those that are not done when the last reference goes are given up.
final class PreviewWork: Sendable {
    private let pending: [PendingResponse]

    init(_ pending: [PendingResponse]) {
        self.pending = pending
    }

    // The last ones first: they wait, and one of them would be started if the one that runs were cancelled before it.
    deinit { for each in pending.reversed() { each.cancel() } }
}
