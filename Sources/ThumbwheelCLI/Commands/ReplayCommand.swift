import Foundation
import Thumbwheel
import ThumbwheelGrid
import ThumbwheelReplay

/// `thumbwheel replay`: scrolls over photographs and tells what the grid showed.
struct ReplayCommand {
    private enum Clock: String, CaseIterable {
        case real, virtual
    }

    private let paths: [String]
    private let assetCount: Int?
    private let scenario: Scenario?
    private let traceFromFile: ScrollTrace?
    private let strategies: [ReplayStrategy]
    private let clock: Clock
    private let seconds: Double
    private let layout: GridLayout
    private let seed: Int
    private let settings: ReplaySettings
    private let costs: CostModel
    private let recording: OutputFile?
    private let events: OutputFile?
    private let json: OutputFile?
    private let html: OutputFile?
    private let words: [String]

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(
            words,
            options: [
                "--assets", "--scenario", "--trace", "--strategy", "--delivery", "--clock", "--seconds", "--fps",
                "--grid",
                "--cell", "--costs", "--budget", "--workers", "--seed", "--record", "--events",
                "--json", "--html",
            ],
            flags: ["--no-previews", "--no-placeholders"])
        self.words = words
        paths = arguments.positional
        var assets = try arguments.integer("--assets", default: 0, in: 0...10_000_000)
        strategies = try arguments.choices("--strategy", default: [.thumbwheel])
        clock = try arguments.choice("--clock", default: .real)
        seconds = try arguments.number("--seconds", default: 20, in: 0.1...86_400)
        seed = try arguments.integer("--seed", default: 1, in: 0...Int.max)
        let cell = try arguments.integer("--cell", default: 256, in: 1...4096)
        if let path = arguments.string("--trace") {
            guard arguments.string("--scenario") == nil else {
                throw CommandError("--trace and --scenario exclude each other; give one of them")
            }
            let trace = try Self.readTrace(path)
            if let needed = trace.assetCount {
                guard assets == 0 || assets == needed else {
                    throw CommandError(
                        "--assets \(assets): the edits of --trace \(path) are made for \(needed); leave it out")
                }
                assets = needed
            }
            traceFromFile = trace
            scenario = nil
            layout = trace.layout
        } else {
            traceFromFile = nil
            scenario = try arguments.choice("--scenario", default: .brisk)
            let grid = try Self.grid(arguments)
            layout = GridLayout(
                columnCount: grid.width, cellSide: Double(cell),
                viewport: PixelSize(width: grid.width * cell, height: grid.height * cell))
        }
        assetCount = assets > 0 ? assets : nil
        let side = arguments.string("--cell") == nil && traceFromFile != nil ? Int(layout.cellSide.rounded()) : cell
        settings = ReplaySettings(
            deliveryMode: try arguments.choice("--delivery", default: .opportunistic),
            targetSize: PixelSize(width: side, height: side),
            framesPerSecond: try arguments.number("--fps", default: 60, in: 1...1000),
            workerCount: try arguments.integer("--workers", default: 2, in: 1...256),
            budget: try arguments.byteCount("--budget", default: 64 << 20),
            usesEmbeddedPreviews: !arguments.has("--no-previews"),
            recordsEvents: arguments.string("--events") != nil)
        func file(_ option: String) throws(CommandError) -> OutputFile? {
            guard let path = arguments.string(option) else { return nil }
            return try OutputFile(path: path, option: option)
        }
        costs = try Self.costs(arguments.string("--costs"), seed: UInt64(seed))
        recording = try file("--record")
        events = try file("--events")
        json = try file("--json")
        html = try file("--html")
    }

    func run() async throws(CommandError) -> ExitStatus {
        let progress = ProgressLine()
        let photographs = try await PhotographArguments(paths: paths, progress: progress)
        photographs.reportSkips()
        for damaged in photographs.damaged { report("\(damaged.path): \(damaged.error.code): \(damaged.error.text)") }
        let count = assetCount ?? photographs.assets.count
        let trace =
            traceFromFile ?? scenario!.trace(seed: UInt64(seed), layout: layout, itemCount: count, seconds: seconds)
        // On the virtual clock nothing is rendered, and so nothing can fail.
        let usable =
            clock == .virtual
            ? photographs.assets
            : await PhotographCheck(settings: settings, names: photographs.names)
                .usable(photographs.assets, reach: trace.reach(itemCount: count), progress: progress)
        guard !usable.isEmpty else {
            throw CommandError("\(paths.joined(separator: ", ")): none of the images can be rendered")
        }
        let assets = usable.repeated(count: count)
        try recording?.write(trace.jsonLines)

        let runs = strategies.map { play(trace, over: assets, strategy: $0, progress: progress) }
        progress.clear()
        let document = ReplayDocument(
            host: .current,
            settings: try documentSettings(photographs: usable, assetCount: assets.count, trace: trace),
            runs: runs)
        let report = ReplayReport(document: document, runs: runs, command: "thumbwheel replay " + quotedWords)
        try events?.write(EventTrace(runs).data)
        try html?.write(Data(report.html.utf8))
        try json?.write(encoding: document)
        if json?.path != "-", events?.path != "-" { print(runs.table) }
        return .done
    }

    private func play(
        _ trace: ScrollTrace, over assets: [Asset], strategy: ReplayStrategy, progress: ProgressLine
    ) -> ReplayRun {
        func show(_ fraction: Double) {
            progress.show("replaying \(strategy.rawValue): \(Int(fraction * 100)) %")
        }
        let seed = UInt64(seed)
        switch clock {
        case .real:
            return ReplayPlayer(settings: settings, assets: assets)
                .play(trace, strategy: strategy, scenario: scenario, seed: seed, progress: show)
        case .virtual:
            return VirtualPlayer(settings: settings, assetCount: assets.count, costs: costs)
                .play(trace, strategy: strategy, scenario: scenario, seed: seed, progress: show)
        }
    }

    private func documentSettings(
        photographs: [Asset], assetCount: Int, trace: ScrollTrace
    ) throws(CommandError) -> ReplayDocument.Settings {
        let workload = ReplayDocument.Workload(
            photographs: try PhotographSet(of: photographs), assets: assetCount,
            scenario: scenario?.rawValue ?? "trace", seed: UInt64(seed), delivery: settings.deliveryMode.rawValue,
            clock: clock.rawValue, seconds: trace.milliseconds / 1000, fps: settings.framesPerSecond,
            grid: "\(layout.columnCount)x\(Int(layout.rowsPerScreen.rounded()))",
            cell: settings.targetSize.description, previews: settings.usesEmbeddedPreviews)
        return ReplayDocument.Settings(
            workload: workload,
            engine: ReplayDocument.Engine(
                strategies: strategies.map(\.rawValue), workers: settings.workerCount, budgetBytes: settings.budget))
    }

    /// The command's words as a shell would take them again.
    private var quotedWords: String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:")
        return words.map { word in
            !word.isEmpty && word.allSatisfy(plain.contains)
                ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
        }.joined(separator: " ")
    }

    private static func grid(_ arguments: Arguments) throws(CommandError) -> PixelSize {
        guard let text = arguments.string("--grid") else { return PixelSize(width: 4, height: 8) }
        guard let grid = PixelSize(text), (1...100).contains(grid.width), (1...100).contains(grid.height) else {
            throw CommandError("--grid \(text): give COLUMNSxROWS, each from 1 to 100")
        }
        return grid
    }

    /// - Parameter paths: of documents, separated by commas; nil for the built-in model.
    private static func costs(_ paths: String?, seed: UInt64) throws(CommandError) -> CostModel {
        guard let paths else { return .builtIn(seed: seed) }
        var documents: [Data] = []
        for path in paths.split(separator: ",").map(String.init) {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandError("--costs \(path): cannot be read")
            }
            documents.append(data)
        }
        do throws(CostDocumentError) {
            return try CostModel.measured(documents: documents)
        } catch {
            throw CommandError("--costs \(paths): \(error)")
        }
    }

    private static func readTrace(_ path: String) throws(CommandError) -> ScrollTrace {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("--trace \(path): cannot be read")
        }
        do throws(ScrollTraceError) {
            return try ScrollTrace(jsonLines: data)
        } catch {
            throw CommandError("--trace \(path): \(error)")
        }
    }
}

extension [Asset] {
    /// Asset *i* is photograph *i* mod *n* under an identifier of its own: what is made for one never serves another.
    fileprivate func repeated(count assetCount: Int) -> [Asset] {
        (0..<assetCount).map { index in
            let original = self[index % count]
            let identifier = AssetIdentifier(
                high: original.identifier.high, low: original.identifier.low &+ UInt64(index / count))
            return index < count ? original : original.copy(identifier: identifier)
        }
    }
}
