/// Pictures that are being made for one answer. Those that are not done when the last reference goes are given up.
final class PreviewWork: Sendable {
    private let pending: [PendingResponse]

    init(_ pending: [PendingResponse]) {
        self.pending = pending
    }

    deinit { for each in pending { each.cancel() } }
}
