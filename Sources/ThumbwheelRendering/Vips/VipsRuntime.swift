import CVips
import ThumbwheelLocks
import VipsStart

/// The state of libvips, which is global to the process. It is set once, either by the host (the program that uses this
/// library) or on first use.
///
/// A host that uses libvips itself can call `configure(_:)` before it renders anything, or start libvips in its own
/// way. If the host has not called `configure(_:)`, the first rendering calls it with the default configuration. Safety
/// does not depend on these settings, because this library chooses the loader by the bytes of a file, and only among
/// loaders that it allows.
public enum VipsRuntime {
    /// The settings of libvips that apply to the whole process.
    public struct Configuration: Sendable, Hashable {
        /// The number of threads that libvips may use for one image, for example in an encoder. The renderings of this
        /// library do not depend on it: each uses only its own thread.
        public var threadsPerImage = 1
        /// The number of operations that libvips keeps for reuse. The default is 0, because this library decodes every
        /// image only once.
        public var operationCacheCount = 0
        /// Whether libvips blocks the loaders that it calls untrusted. The setting applies to the whole process, so the
        /// host cannot use these loaders either.
        public var blocksUntrustedLoaders = true
        /// Whether the warnings of libvips are suppressed, so that they do not appear on standard error. A damaged file
        /// can cause a warning for each row.
        public var silencesWarnings = true

        /// Makes a configuration; the defaults suit renderings of files from strangers.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }

    private static let state = Mutex<Bool?>(nil)

    /// Starts libvips with `configuration`, unless this type has tried to start it before.
    ///
    /// - Returns: false if this type had already tried to start libvips, so that `configuration` is ignored; otherwise
    ///   true, even if libvips could not be started.
    @discardableResult
    public static func configure(_ configuration: Configuration = Configuration()) -> Bool {
        state.withLock { isUsable in
            guard isUsable == nil else { return false }
            isUsable = start(configuration)
            return true
        }
    }

    /// The version of libvips, for reports that record how a result was made.
    public static var version: String {
        "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))"
    }

    /// Starts libvips if it has not been started, and throws if it cannot be started.
    static func require() throws(RenderError) {
        let isUsable = state.withLock { isUsable -> Bool in
            if let isUsable { return isUsable }
            let started = start(Configuration())
            isUsable = started
            return started
        }
        if !isUsable { throw .unavailable(reason: "libvips could not be started") }
    }

    private static func start(_ configuration: Configuration) -> Bool {
        guard VipsStart.isUsable else { return false }
        vips_concurrency_set(Int32(clamping: max(1, configuration.threadsPerImage)))
        vips_cache_set_max(Int32(clamping: max(0, configuration.operationCacheCount)))
        if configuration.blocksUntrustedLoaders { vips_block_untrusted_set(1) }
        if configuration.silencesWarnings {
            let levels = G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_INFO.rawValue | G_LOG_LEVEL_DEBUG.rawValue
            g_log_set_handler("VIPS", GLogLevelFlags(rawValue: levels), { _, _, _, _ in }, nil)
        }
        return true
    }
}

/// Returns the last line of libvips's error buffer, and empties the buffer. The buffer belongs to the process and mixes
/// the messages of jobs that run at the same time, so the text may be shown to people but must not be used for
/// decisions.
func takeVipsMessage() -> String {
    guard let text = vips_error_buffer_copy() else { return "" }
    defer { g_free(text) }
    let lines = String(cString: text).split(separator: "\n")
    return lines.last.map(String.init) ?? ""
}
