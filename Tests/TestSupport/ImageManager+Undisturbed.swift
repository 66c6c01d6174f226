import Thumbwheel

extension ImageManager {
    /// Makes a manager whose results do not depend on how busy the machine is, nor on how much of its memory is free.
    ///
    /// - Parameters:
    ///   - renderer: the renderer; nil for that of photographs and videos.
    ///   - fetcher: the fetcher; nil for that of providers.
    ///   - configure: changes further settings.
    package static func undisturbed(
        renderer: (any RenditionRenderer)? = nil, fetcher: (any ResourceFetcher)? = nil,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> ImageManager {
        ImageManager(
            configuration: Configuration {
                $0.disregardMachine()
                configure(&$0)
            }, renderer: renderer, fetcher: fetcher, recordsRenders: false)
    }
}

extension ImageManager.Configuration {
    /// Lets a manager keep its cache when the machine runs short of memory, and gives each render an hour.
    package mutating func disregardMachine() {
        // The pressure on the machine's memory would empty the cache.
        watchesMemory = false
        // A test may be kept waiting on a busy machine; its renders are not to fail for that.
        limits.duration = RenderLimits.unhurried.duration
        decoderSignalMilliseconds = 600_000
    }
}
