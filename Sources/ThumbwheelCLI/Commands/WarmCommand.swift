import Thumbwheel
import ThumbwheelRedis
import ThumbwheelReplay

/// `thumbwheel warm`: makes the images that a store lacks, so that a service finds them there.
struct WarmCommand: Command {
    struct Options: CommandSettings {
        var sizes = [PixelSize(width: 256, height: 256)]
        var content = ContentMode.aspectFill
        var delivery = DeliveryMode.highQuality
        var encoding = WarmEncoding.none
        var quality = 85
        var shard = Shard.all
        var workers = HostResources.current.processorCount
        var store: String?
        var storeBytes = 4 << 30
        var redis: RedisURL?
        var isolation = Isolation.none
        var isForService = false
        var json: OutputFile?

        /// The options for images that `serve` finds in its store. Each of them is a part of what an image is kept under, except
        /// for the isolation: `serve` trusts the same files no more at night.
        static var forService: Options {
            let service = ServeCommand.Options()
            var options = Options()
            options.sizes = [256, 384, 512].map { PixelSize(width: $0, height: $0) }
            options.content = .aspectFit
            options.encoding = .jpeg
            (options.quality, options.isolation) = (service.quality, service.isolation)
            return options
        }
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "warm PHOTOS…",
            [
                CommandOption("--store", .text("FOLDER"), \.store, "the store that the images go to"),
                CommandOption("--store-bytes", .byteCount, \.storeBytes, "bytes that the store may take"),
                CommandOption("--redis", .redis, \.redis, "the store of several servers that the images go to"),
                CommandOption("--isolation", .choice, \.isolation, "the files that are decoded outside the process"),
                CommandOption("--sizes", .sizes, \.sizes, "the targets in pixels, with commas between"),
                CommandOption("--content", .choice, \.content, "whether images cover the target or lie inside it"),
                CommandOption("--delivery", .choice, \.delivery, "how good an image is"),
                CommandOption("--encoding", .choice, \.encoding, "files of this format, or pixels"),
                CommandOption("--quality", .integer(in: 1...100), \.quality, "the quality of those files"),
                CommandOption("--shard", .shard, \.shard, "the part of the photographs that this process makes"),
                CommandOption("--workers", .integer(in: 1...256), \.workers, "render threads"),
                CommandOption(
                    flag: "--for-serve", \.isForService,
                    "what the cells of serve's gallery ask for, unless other options say otherwise"),
                CommandOption("--json", .file, \.json, "the report as a document; - for standard output"),
            ])
    }

    private let paths: [String]
    private let options: Options

    init(_ words: [String]) throws(CommandError) {
        let isForService = try Self.table.read(words).settings.isForService
        (options, paths) = try Self.table.read(words, over: isForService ? .forService : Options())
        guard options.store != nil || options.redis != nil else {
            throw CommandError("warm takes --store FOLDER or --redis HOST:PORT, where the images go")
        }
    }

    func run() async throws(CommandError) -> ExitStatus {
        let progress = ProgressLine()
        let photographs = try await PhotographArguments(paths: paths, progress: progress)
        photographs.reportSkips()
        let start = MonotonicTime.now
        let assets = photographs.assets.filter { options.shard.contains($0) }
        let shared = options.redis.map { RedisStore(waitingForEachImage: $0) }
        defer { shared?.close() }
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = options.workers
                $0.keepsRenditions = false
                $0.asksSlowStores = true
                // An image of other bytes would be kept, and found, under the version that the file had when it was looked at.
                $0.refusesChangedFiles = true
                $0.isolate(options.isolation)
                $0.store = options.store.map {
                    ImageManager.Configuration.Store(folder: $0, byteLimit: options.storeBytes)
                }
                $0.sharedStore = shared
            }, recordsRenders: false)
        var warming = Warming(
            manager: manager, options: options, names: photographs.names, progress: progress, start: start)
        await warming.run(assets)
        await manager.shutdown()
        progress.clear()
        let (disk, redis) = (manager.storeStatistics, manager.sharedStoreStatistics)
        if let store = options.store, let failure = disk?.failure { throw CommandError("\(store): \(failure)") }
        if let url = options.redis, let failure = redis?.failure { throw CommandError("\(url): \(failure)") }
        let failed =
            warming.failed
            + photographs.damaged.map { WarmDocument.Failure(file: $0.path, size: "", code: $0.error.code) }
        for failure in failed { report("\(failure.file): \(failure.code)") }
        let document = WarmDocument(
            made: warming.made, kept: warming.kept, failed: failed, bytes: disk?.byteCount ?? 0,
            seconds: (MonotonicTime.now.milliseconds(since: start) / 1_000).rounded(toPlaces: 3))
        if let json = options.json {
            try json.write(encoding: document)
        } else {
            print("\(document.made) made, \(document.kept) there already, \(failed.count) failed")
        }
        let dropCount = (disk?.drops ?? 0) + (redis?.drops ?? 0)
        return failed.isEmpty && dropCount == 0 ? .done : .negative
    }
}
