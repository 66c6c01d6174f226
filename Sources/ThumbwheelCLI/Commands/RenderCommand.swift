import Foundation
import Thumbwheel
import ThumbwheelRedis
import ThumbwheelReplay

/// `thumbwheel render`: makes thumbnails of photographs and says what each took.
struct RenderCommand: Command {
    /// What is asked for, checked before anything is read.
    struct Options: CommandSettings {
        var size = PixelSize(width: 256, height: 256)
        var content = ContentMode.aspectFill
        var delivery = DeliveryMode.highQuality
        var resize = ResizeMode.exact
        var crop: NormalizedRect?
        var sampling = Sampling.standard
        var isLinear = false
        var isolation = Isolation.none
        var workers = 1
        var rounds = 1
        var isCold = false
        var usesPreviews = true
        var makesHashes = true
        var store: String?
        var storeBytes = 4 << 30
        var redis: RedisURL?
        var output: String?
        var format = ThumbnailFolder.Format.png
        var isStrict = false
        var json: OutputFile?
        var html: OutputFile?

        /// Whether images outlive the process.
        var keepsImages: Bool { store != nil || redis != nil }
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "render PHOTOS…",
            [
                CommandOption("--size", .size, \.size, "the target in pixels"),
                CommandOption("--content", .choice, \.content, "whether images cover the target or lie inside it"),
                CommandOption("--delivery", .choice, \.delivery, "how good an image is, and what comes before it"),
                CommandOption("--resize", .choice, \.resize, "how exactly the target is met"),
                CommandOption("--crop", .crop, \.crop, "the part to render, in fractions of the image"),
                CommandOption("--sampling", .choice, \.sampling, "how far above the target a decode lies"),
                CommandOption(flag: "--linear", \.isLinear, "resample in linear light"),
                CommandOption("--isolation", .choice, \.isolation, "the files that are decoded outside the process"),
                CommandOption("--workers", .integer(in: 1...256), \.workers, "render threads"),
                CommandOption("--rounds", .integer(in: 1...100_000), \.rounds, "times that all is rendered"),
                CommandOption(flag: "--cold", \.isCold, "drop files from the system's cache before each round"),
                CommandOption(flag: "--no-previews", \.usesPreviews, "do without previews in the files"),
                CommandOption(flag: "--no-hashes", \.makesHashes, "make no thumb hash in passing"),
                CommandOption("--store", .text("FOLDER"), \.store, "keep images on disk, and take them from there"),
                CommandOption("--store-bytes", .byteCount, \.storeBytes, "bytes that the store may take"),
                CommandOption(
                    "--redis", .redis, \.redis, "keep small images on this Redis, and take them from there"),
                CommandOption("--out", .text("DIR"), \.output, "the folder that thumbnails are written to"),
                CommandOption("--format", .choice, \.format, "the format of those thumbnails"),
                CommandOption(flag: "--strict", \.isStrict, "end with status 1 where an image failed"),
                CommandOption("--json", .file, \.json, "the results as a document; - for standard output"),
                CommandOption("--html", .file, \.html, "a report to open in a browser"),
            ])
    }

    let paths: [String]
    let options: Options
    private let output: ThumbnailFolder?
    private let words: [String]

    init(_ words: [String]) throws(CommandError) {
        self.words = words
        (options, paths) = try Self.table.read(words)
        let format = options.format
        output = try options.output.map { path throws(CommandError) in
            try ThumbnailFolder(path: path, format: format)
        }
    }

    func run() async throws(CommandError) -> ExitStatus {
        let progress = ProgressLine()
        let photographs = try await PhotographArguments(paths: paths, progress: progress)
        photographs.reportSkips()
        let shared = options.redis.map { RedisStore(waitingForEachImage: $0) }
        defer { shared?.close() }
        let session = RenderSession(
            options: options, sharedStore: shared, assets: photographs.assets, names: photographs.names,
            progress: progress)
        var result = await session.run()
        if let output { try await write(to: output, session: session, result: &result) }
        progress.clear()
        if let store = options.store, let failure = result.storeFailure { report("\(store): \(failure)") }
        if let url = options.redis, let failure = shared?.statistics.failure { report("\(url): \(failure)") }

        let images =
            result.images
            + photographs.damaged.map { path, error in
                var image = RenderDocument.Image(file: path)
                image.error = RenderDocument.Failure(code: error.code, message: error.description)
                return image
            }
        for image in images {
            if let error = image.error { report("\(image.file): \(error.code): \(error.message)") }
        }
        let document = RenderDocument(
            host: .current,
            settings: RenderDocument.Settings(
                workload: try workload(photographs.assets, progress),
                engine: RenderDocument.Engine(workers: options.workers)),
            images: images,
            skipped: photographs.skipped.map { RenderDocument.Skip(file: $0.path, reason: $0.reason) },
            summary: RenderDocument.Summary(
                images: images, cost: result.cost, renderCount: result.renderCount, megapixels: result.megapixels,
                peakResidentBytes: ProcessUsage.residentByteCounts?.peak ?? 0))
        if let html = options.html {
            let report = RenderReport(
                document: document, command: "thumbwheel render " + words.quoted,
                thumbnails: await session.smallFiles(limit: RenderReport.pictureLimit))
            progress.clear()
            try html.write(Data(report.html.utf8))
        }
        if let json = options.json { try json.write(encoding: document) } else { print(document.text) }
        return options.isStrict && document.summary.failed > 0 ? .negative : .done
    }

    /// Renders everything once more, outside the timed part, and writes it.
    private func write(
        to folder: ThumbnailFolder, session: RenderSession, result: inout RenderSession.Result
    ) async throws(CommandError) {
        try folder.create()
        let manager = session.makeManager(workerCount: 1)
        var names = UniqueNames()
        for (index, asset) in session.assets.enumerated() where result.images[index].error == nil {
            guard let bitmap = await session.bitmap(of: asset, by: manager) else { continue }
            let bytes: [UInt8]
            do throws(RenderError) {
                bytes = try bitmap.encoded(as: folder.format.encoding)
            } catch {
                throw CommandError("\(folder.path): \(error.description)")
            }
            result.images[index].output = try folder.write(bytes, name: names.name(for: asset.originalFilename))
        }
    }

    private func workload(
        _ assets: [Asset], _ progress: ProgressLine
    ) throws(CommandError) -> RenderDocument.Workload {
        RenderDocument.Workload(
            photographs: try PhotographSet(of: assets, progress: progress), size: options.size,
            content: options.content, delivery: options.delivery, resize: options.resize, crop: options.crop,
            sampling: options.sampling,
            linear: options.isLinear, rounds: options.rounds, cold: options.isCold, previews: options.usesPreviews,
            hashes: options.makesHashes)
    }
}

extension RenderDocument {
    /// The table for people.
    fileprivate var text: String {
        var table = TextTable(header: ["file", "size", "source", "scale", "ms", "first ms"])
        for image in images {
            guard let width = image.width, let height = image.height else {
                table.add([image.file, image.error?.code ?? "–"])
                continue
            }
            table.add([
                image.file, "\(width)x\(height)", image.source ?? "–", image.scale.map { "\($0)/8" } ?? "–",
                image.milliseconds?.text(2) ?? "–", image.firstMilliseconds?.text(2) ?? "–",
            ])
        }
        let times = summary.milliseconds
        return table.text + """


            \(summary.images) images, \(summary.failed) failed; \(summary.imagesPerSecond.text(1)) images/s, \
            \(summary.megapixelsPerSecond.text(1)) megapixels/s
            milliseconds an image: mean \(times.mean.text(2)), p50 \(times.p50.text(2)), p95 \(times.p95.text(2)), \
            p99 \(times.p99.text(2)), max \(times.max.text(2))
            wall \(summary.wallSeconds.text(3)) s, CPU \(summary.cpuSeconds.text(3)) s, \
            \(summary.minorFaults) minor faults, peak resident \((Double(summary.peakResidentBytes) / 1_048_576).text(1)) MiB
            """
    }
}
