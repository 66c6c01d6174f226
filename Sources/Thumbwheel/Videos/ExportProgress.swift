import ThumbwheelCore

/// Passes the progress of an export to its handler, seldom enough that the handler costs nothing.
final class ExportProgress {
    private let handler: ExportOptions.ProgressHandler?
    private let token: CancellationToken
    private var last = -1.0

    /// The least difference between two fractions that are reported.
    private static let step = 0.01

    /// Prepares to report the progress of one export.
    ///
    /// - Parameter token: the token of the export. It is cancelled when the handler sets its argument `stop`.
    init(_ handler: ExportOptions.ProgressHandler?, stoppingBy token: CancellationToken) {
        self.handler = handler
        self.token = token
    }

    /// Reports a fraction, unless it is hardly larger than the last one.
    func report(_ fraction: Double) {
        guard let handler, fraction >= last + Self.step || fraction == 1 && last < 1 else { return }
        last = fraction
        var isToStop = false
        handler(fraction, &isToStop)
        if isToStop { token.cancel() }
    }
}
