import CVips
import ThumbwheelLocks

/// libvips's state, which is global to the process: set once, by the host or on first use.
///
/// A host that uses libvips itself calls `configure(_:)` before it renders anything, or starts libvips as it likes: where
/// nobody has configured it, the first rendering does, with the default configuration. Safety does not rest on these
/// settings: loaders are chosen from an allow-list by the bytes of a file.
public enum VipsRuntime {
    /// The settings of libvips that concern the whole process.
    public struct Configuration: Sendable, Hashable {
        /// Threads that libvips may use for one image. Renderings of this library never ask for more than their own
        /// thread; encoders do.
        public var threadsPerImage = 1
        /// Operations kept for reuse. 0, the default, because every image here is decoded once.
        public var operationCacheCount = 0
        /// Whether loaders that libvips calls untrusted are barred, for the host's own calls too.
        public var blocksUntrustedLoaders = true
        /// Whether libvips's warnings are kept from standard error, where damaged files cause one a row.
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

    /// Starts libvips with `configuration`, unless it was started through here before.
    ///
    /// - Returns: whether this call was the one that set it.
    @discardableResult
    public static func configure(_ configuration: Configuration = Configuration()) -> Bool {
        state.withLock { isUsable in
            guard isUsable == nil else { return false }
            isUsable = start(configuration)
            return true
        }
    }

    /// libvips's version, for documents that say what made a result.
    public static var version: String {
        "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))"
    }

    /// Throws where libvips could not be started at all.
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
        guard tw_vips_start("thumbwheel") == 0 else { return false }
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

/// The text of libvips's error buffer, which is emptied. The buffer belongs to the process and mixes the messages of jobs
/// that run at the same time: good for people, never for a decision.
func takeVipsMessage() -> String {
    guard let text = vips_error_buffer_copy() else { return "" }
    defer { g_free(text) }
    let lines = String(cString: text).split(separator: "\n")
    return lines.last.map(String.init) ?? ""
}
