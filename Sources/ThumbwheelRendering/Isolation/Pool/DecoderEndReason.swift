/// The reasons for which a decoder process ends during its job.
enum DecoderEndReason: Sendable {
    /// The job was cancelled.
    case cancelled
    /// The job took longer than its limit.
    case overdue
    /// The process crashed, or did not follow the protocol.
    case crashed
}
