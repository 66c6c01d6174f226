import Thumbwheel
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
        var isolation = Isolation.none
        var json: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "warm PHOTOS…",
            [
                CommandOption("--store", .text("FOLDER"), \.store, "the store that the images go to"),
                CommandOption("--store-bytes", .byteCount, \.storeBytes, "bytes that the store may take"),
                CommandOption("--isolation", .choice, \.isolation, "the files that are decoded outside the process"),
                CommandOption("--sizes", .sizes, \.sizes, "the targets in pixels, with commas between"),
                CommandOption("--content", .choice, \.content, "whether images cover the target or lie inside it"),
                CommandOption("--delivery", .choice, \.delivery, "how good an image is"),
                CommandOption("--encoding", .choice, \.encoding, "files of this format, or pixels"),
                CommandOption("--quality", .integer(in: 1...100), \.quality, "the quality of those files"),
                CommandOption("--shard", .shard, \.shard, "the part of the photographs that this process makes"),
                CommandOption("--workers", .integer(in: 1...256), \.workers, "render threads"),
                CommandOption("--json", .file, \.json, "the report as a document; - for standard output"),
            ])
    }

    private let paths: [String]
    private let options: Options
    private let store: String

    init(_ words: [String]) throws(CommandError) {
        (options, paths) = try Self.table.read(words)
        guard let store = options.store else { throw CommandError("warm takes --store FOLDER, where the images go") }
        self.store = store
    }

    func run() async throws(CommandError) -> ExitStatus {
        let progress = ProgressLine()
        let photographs = try await PhotographArguments(paths: paths, progress: progress)
        photographs.reportSkips()
        let start = MonotonicTime.now
        let assets = photographs.assets.filter { options.shard.contains($0) }
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = options.workers
                $0.keepsRenditions = false
                $0.isolate(options.isolation)
                $0.store = ImageManager.Configuration.Store(folder: store, byteLimit: options.storeBytes)
            }, recordsRenders: false)
        var warming = Warming(
            manager: manager, options: options, names: photographs.names, progress: progress, start: start)
        await warming.run(assets)
        await manager.shutdown()
        progress.clear()
        guard let statistics = manager.storeStatistics, statistics.failure == nil else {
            throw CommandError("\(store): \(manager.storeStatistics?.failure?.description ?? "no store")")
        }
        let failed =
            warming.failed
            + photographs.damaged.map { WarmDocument.Failure(file: $0.path, size: "", code: $0.error.code) }
        for failure in failed { report("\(failure.file): \(failure.code)") }
        let document = WarmDocument(
            made: warming.made, kept: warming.kept, failed: failed, bytes: statistics.byteCount,
            seconds: (MonotonicTime.now.milliseconds(since: start) / 1_000).rounded(toPlaces: 3))
        if let json = options.json {
            try json.write(encoding: document)
        } else {
            print("\(document.made) made, \(document.kept) there already, \(failed.count) failed")
        }
        return failed.isEmpty && statistics.drops == 0 ? .done : .negative
    }
}
