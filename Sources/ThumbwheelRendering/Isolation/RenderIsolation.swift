import ThumbwheelCore
import ThumbwheelFormats

/// The parts of a renderer that decode files outside its own process: the rule that chooses these files, and the pool
/// of decoder processes.
package struct RenderIsolation: Sendable {
    private let scope: Isolation
    package let pool: DecoderPool

    /// Prepares a renderer to decode files in decoder processes. Returns nil for the scope `.none`, because no decoder
    /// process is then needed.
    ///
    /// - Parameters:
    ///   - scope: the choice of files that are decoded in decoder processes.
    ///   - pool: the decoder processes. This expression is not evaluated if the scope is `.none`.
    package init?(_ scope: Isolation, pool: @autoclosure () -> DecoderPool) {
        guard scope != .none else { return nil }
        self.scope = scope
        self.pool = pool()
    }

    /// Whether files of a type go straight to a decoder process. Files of all other types are first tried in the
    /// renderer's own process.
    func takes(_ type: ContentType) -> Bool {
        scope == .all || type == .heic || type == .avif || type == .webp
    }
}
