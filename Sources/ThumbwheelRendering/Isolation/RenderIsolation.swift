import ThumbwheelCore
import ThumbwheelFormats

/// The files that a renderer gives to decoder processes, and the processes.
package struct RenderIsolation: Sendable {
    private let scope: Isolation
    package let pool: DecoderPool

    /// - Parameter scope: which files are decoded outside the process; nil is returned for `.none`.
    package init?(_ scope: Isolation, pool: @autoclosure () -> DecoderPool) {
        guard scope != .none else { return nil }
        self.scope = scope
        self.pool = pool()
    }

    /// Whether a file goes to a decoder process without an attempt in this process.
    func takes(_ type: ContentType) -> Bool {
        scope == .all || type == .heic || type == .avif || type == .webp
    }
}
