import Foundation
import Thumbwheel
import ThumbwheelGrid
import ThumbwheelRedis
import ThumbwheelReplay

/// `thumbwheel replay`: scrolls over photographs and tells what the grid showed.
struct ReplayCommand: Command {
    static var table: OptionTable<ReplayOptions> { ReplayOptions.table }

    private let words: [String]
    private let arguments: ReplayArguments
    private let progress = ProgressLine()

    init(_ words: [String]) throws(CommandError) {
        self.words = words
        arguments = try ReplayArguments(words)
    }

    func run() async throws(CommandError) -> ExitStatus {
        let photographs = try await PhotographArguments(
            paths: arguments.paths,
            makingHashes: arguments.clock == .real && arguments.settings.placeholders == .imported,
            progress: progress)
        photographs.reportSkips()
        for damaged in photographs.damaged {
            report("\(damaged.path): \(damaged.error.code): \(damaged.error.description)")
        }
        let count = arguments.assetCount ?? photographs.assets.count
        let trace = arguments.trace(ofViewer: 0, assetCount: count)
        // On the virtual clock nothing is rendered, and so nothing can fail.
        let usable =
            arguments.clock == .virtual
            ? photographs.assets
            : await PhotographCheck(settings: arguments.settings, names: photographs.names)
                .usable(photographs.assets, reach: trace.reach(itemCount: count), progress: progress)
        guard !usable.isEmpty else {
            throw CommandError("\(arguments.paths.joined(separator: ", ")): none of the images can be rendered")
        }
        try arguments.recording?.write(trace.jsonLines)

        let simulation = ReplaySimulation(arguments: arguments, assetCount: count)
        let runs =
            arguments.clock == .virtual
            ? simulation.runs(progress: progress) : play(trace, over: usable.repeated(count: count))
        let sweep = arguments.sweep.map { simulation.play($0, progress) }
        progress.clear()
        let document = ReplayDocument(
            host: .current,
            settings: try documentSettings(photographs: usable, assetCount: count, trace: trace), runs: runs,
            sweep: sweep)
        try arguments.events?.write(EventTrace(runs).data)
        if let html = arguments.html {
            let report = ReplayReport(
                document: document, runs: runs, command: "thumbwheel replay " + words.quoted,
                thumbnails: await thumbnails(of: usable, for: runs))
            try html.write(Data(report.html.utf8))
        }
        try arguments.json?.write(encoding: document)
        if arguments.json?.path != "-", arguments.events?.path != "-" {
            print(runs.table)
            if let sweep { print("\n" + sweep.table) }
        }
        return .done
    }

    private func play(_ trace: ScrollTrace, over assets: [Asset]) -> [ReplayRun] {
        var settings = arguments.settings
        let shared = arguments.redis.map { RedisStore(RedisStore.Configuration(url: $0)) }
        defer { shared?.close() }
        settings.tiers.sharedStore = shared
        return arguments.strategies.map { strategy in
            ReplayPlayer(settings: settings, assets: assets)
                .play(trace, strategy: strategy, scenario: arguments.scenario, seed: arguments.seed) {
                    progress.show("replaying \(strategy.rawValue): \(Int($0 * 100)) %")
                }
        }
    }

    private func documentSettings(
        photographs: [Asset], assetCount: Int, trace: ScrollTrace
    ) throws(CommandError) -> ReplayDocument.Settings {
        let (settings, layout) = (arguments.settings, arguments.layout)
        let tiers = settings.tiers
        var workload = ReplayDocument.Workload(
            photographs: try PhotographSet(of: photographs, progress: progress), assets: assetCount,
            scenario: arguments.scenario?.rawValue ?? "trace", seed: arguments.seed,
            delivery: settings.deliveryMode.rawValue, clock: arguments.clock.rawValue,
            seconds: trace.milliseconds / 1000, fps: settings.framesPerSecond,
            grid: "\(layout.columnCount)x\(Int(layout.rowsPerScreen.rounded()))",
            layout: layout.text(arguments.layoutKind),
            cell: settings.targetSize.description, previews: settings.usesEmbeddedPreviews,
            placeholders: settings.placeholders, viewers: arguments.viewerCount,
            providerLatency: arguments.providerLatency)
        workload.encoding = tiers.encoding?.contentType.filenameExtension
        workload.seen = tiers.isEmpty ? nil : tiers.seenCount
        workload.restartAt = tiers.restartMilliseconds.map { $0 / 1000 }
        var engine = ReplayDocument.Engine(
            strategies: arguments.strategies.map(\.rawValue), workers: settings.workerCount,
            budgetBytes: settings.budget, fetches: settings.fetchLimit, isolation: settings.isolation)
        engine.storeBytes = tiers.storeFolder.map { _ in tiers.storeByteLimit }
        engine.servers = tiers.serverCount
        return ReplayDocument.Settings(workload: workload, engine: engine)
    }

    /// What the worst seconds of the runs would have shown.
    private func thumbnails(of photographs: [Asset], for runs: [ReplayRun]) async -> [Int: Data] {
        let manager = ImageManager()
        var files: [Int: Data] = [:]
        for number in Set(runs.flatMap { $0.worstSecond?.cells.map(\.asset) ?? [] }).sorted() {
            progress.show("thumbnails of the worst second: \(files.count)")
            let data = try? await manager.imageData(
                for: photographs[number % photographs.count], targetSize: PixelSize(width: 96, height: 96),
                contentMode: .aspectFill, encoding: .jpeg(quality: 75),
                options: ImageRequestOptions {
                    $0.deliveryMode = .fast
                    $0.resizeMode = .exact
                })
            files[number] = data.map { Data($0.bytes) }
        }
        progress.clear()
        return files
    }
}

extension [String] {
    /// A command's words as a shell would take them again.
    var quoted: String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:")
        return map { word in
            !word.isEmpty && word.allSatisfy(plain.contains)
                ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
        }.joined(separator: " ")
    }
}

extension GridLayout {
    /// The settings that make a layout of it that is no plain grid; nil for a plain grid.
    fileprivate func text(_ kind: LayoutKind) -> String? {
        let parts = [
            kind == .grid ? nil : kind.rawValue, axis == .vertical ? nil : axis.rawValue,
            spacing == .zero ? nil : "spacing \(spacing.width)x\(spacing.height)",
            insets == .zero ? nil : "insets \([insets.top, insets.left, insets.bottom, insets.right])",
        ]
        let given = parts.compactMap { $0 }
        return given.isEmpty ? nil : given.joined(separator: ", ")
    }
}

extension ReplayArguments {
    /// What a viewer does: the trace that was given, or a scroll of the viewer's own.
    func trace(ofViewer viewer: Int, assetCount: Int) -> ScrollTrace {
        trace
            ?? scenario!.trace(
                seed: seed, layout: layout, kind: layoutKind, itemCount: assetCount, seconds: seconds, viewer: viewer)
    }
}
