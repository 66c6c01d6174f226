import Foundation
import Thumbwheel
import ThumbwheelGrid
import ThumbwheelRedis
import ThumbwheelReplay

/// What `thumbwheel replay` is asked for.
struct ReplayArguments {
    let paths: [String]
    /// Nil for as many as there are photographs.
    let assetCount: Int?
    /// Nil where there is a trace.
    let scenario: Scenario?
    let trace: ScrollTrace?
    let strategies: [ReplayStrategy]
    let clock: ReplayOptions.Clock
    let seconds: Double
    let layout: GridLayout
    let layoutKind: LayoutKind
    let seed: UInt64
    let viewerCount: Int
    /// As it was given.
    let providerLatency: String?
    let redis: RedisURL?
    let settings: ReplaySettings
    let costs: CostModel
    let sweep: SweptValues?
    let recording: OutputFile?
    let events: OutputFile?
    let json: OutputFile?
    let html: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let options: ReplayOptions
        (options, paths) = try ReplayOptions.table.read(words)
        strategies = options.strategies
        clock = options.clock
        seconds = options.seconds
        seed = options.seed
        viewerCount = options.viewers ?? options.servers ?? 1
        redis = options.redis
        providerLatency = options.providerLatency?.text
        trace = options.trace
        if let trace {
            guard options.scenario == nil else {
                throw CommandError("--trace and --scenario exclude each other; give one of them")
            }
            if let option = options.layoutOption {
                throw CommandError("--trace and \(option) exclude each other; the trace has its own layout")
            }
            scenario = nil
            (layout, layoutKind) = (trace.layout, trace.kind)
        } else {
            scenario = options.scenario ?? .brisk
            (layout, layoutKind) = (try options.gridLayout(), options.layout ?? .grid)
        }
        assetCount = try options.assetCount(for: trace)
        let side = options.cell ?? Int(layout.cellSide.rounded())
        var settings = ReplaySettings(
            deliveryMode: options.delivery, targetSize: PixelSize(width: side, height: side),
            framesPerSecond: options.framesPerSecond, workerCount: options.workers, budget: options.budget,
            fetchLimit: options.fetches ?? 4 * options.workers, usesEmbeddedPreviews: options.usesPreviews,
            placeholders: try options.chosenPlaceholders(), packsRenditions: options.packs,
            providerLatency: options.latencyModel, recordsEvents: options.events != nil)
        settings.isolation = options.isolation
        settings.decoderPath = OwnDecoder.path
        settings.tiers = try options.tiers()
        self.settings = settings
        costs = try options.costModel()
        sweep = options.sweep
        recording = options.recording
        events = options.events
        json = options.json
        html = options.html
        try checkClock()
        try checkTiers()
    }

    /// Refuses options that only make sense where machines are numbers.
    private func checkClock() throws(CommandError) {
        if recording != nil, viewerCount > 1 || sweep?.key == .viewers {
            throw CommandError("--record writes down one viewer's trace; leave --viewers out")
        }
        guard clock == .real else {
            guard settings.isolation == .none else {
                throw CommandError("--isolation: nothing is decoded on the virtual clock")
            }
            guard redis == nil else {
                throw CommandError("--redis: the shared store of the virtual clock is simulated; give --servers")
            }
            return
        }
        let tiers = settings.tiers
        let given = [
            ("--servers", tiers.serverCount != nil), ("--restart-at", tiers.restartMilliseconds != nil),
            ("--seen", tiers.seenCount > 0), ("--encoding", tiers.encoding != nil),
            ("--viewers", viewerCount > 1), ("--sweep", sweep != nil), ("--provider-latency", providerLatency != nil),
        ].first { $0.1 }
        if let given { throw CommandError("\(given.0) is simulated; add --clock virtual") }
    }
}

extension ReplayArguments {
    /// Refuses options of storage tiers that need others.
    private func checkTiers() throws(CommandError) {
        let tiers = settings.tiers
        if tiers.isEmpty, redis == nil, tiers.seenCount > 0 {
            throw CommandError("--seen says what stores have; add --store or --servers")
        }
        if let servers = tiers.serverCount, viewerCount < servers {
            throw CommandError("--viewers \(viewerCount): \(servers) servers want at least one viewer each")
        }
        if events != nil, tiers.serverCount ?? 1 > 1 || tiers.restartMilliseconds != nil {
            throw CommandError("--events shows the time line of one process; leave --servers and --restart-at out")
        }
    }
}

// MARK: Options that depend on one another

extension ReplayOptions {
    /// The storage tiers, without the real shared store, which the command opens.
    fileprivate func tiers() throws(CommandError) -> ReplayTiers {
        var tiers = ReplayTiers()
        tiers.storeFolder = store
        tiers.storeByteLimit = storeBytes
        tiers.serverCount = servers
        tiers.sharedByteLimit = sharedBytes
        tiers.seenCount = seen ?? 0
        tiers.restartMilliseconds = restartSeconds.map { $0 * 1000 }
        tiers.encoding = (encoding ?? (servers == nil ? WarmEncoding.none : .jpeg)).encoding(quality: 85)
        if let storeLatency { tiers.storeLatency = storeLatency.model(seed: seed) }
        if let sharedLatency { tiers.sharedLatency = sharedLatency.model(seed: seed) }
        tiers.storeLatency.seed = seed
        tiers.sharedLatency.seed = seed
        return tiers
    }
}

extension ReplayOptions {
    /// The first given option of the layout, which a trace excludes.
    fileprivate var layoutOption: String? {
        let given = [
            ("--layout", layout != nil), ("--axis", axis != nil), ("--spacing", spacing != nil),
            ("--insets", insets != nil),
        ]
        return given.first { $0.1 }?.0
    }

    /// A grid whose viewport shows as many cells as the options say, between the insets.
    fileprivate func gridLayout() throws(CommandError) -> GridLayout {
        let (cell, spacing, insets) = (cell ?? 256, spacing ?? 0, insets ?? 0)
        func side(_ count: Int) -> Int { count * cell + (count - 1) * spacing + 2 * insets }
        let axis = axis ?? .vertical
        guard layout != .justified || cell >= 16 else {
            throw CommandError("--cell \(cell): justified lines are at least 16 pixels long")
        }
        return GridLayout(
            columnCount: axis == .vertical ? grid.width : grid.height,
            cell: LayoutSize(width: Double(cell), height: Double(cell)),
            spacing: LayoutSize(width: Double(spacing), height: Double(spacing)),
            insets: LayoutInsets(Double(insets)), axis: axis,
            viewport: PixelSize(width: side(grid.width), height: side(grid.height)))
    }

    fileprivate var latencyModel: LatencyModel? {
        providerLatency.map { $0.model(seed: seed) }
    }

    fileprivate func chosenPlaceholders() throws(CommandError) -> Placeholders {
        let chosen = placeholders ?? (hasPlaceholders ? .seen : Placeholders.none)
        guard hasPlaceholders || chosen == .none else {
            throw CommandError(
                "--no-placeholders and --placeholders \(chosen.rawValue) exclude each other; give one of them")
        }
        return chosen
    }

    /// - Returns: nil for as many as there are photographs.
    fileprivate func assetCount(for trace: ScrollTrace?) throws(CommandError) -> Int? {
        let count = assetCount ?? 0
        guard let needed = trace?.assetCount else { return count > 0 ? count : nil }
        guard count == 0 || count == needed else {
            throw CommandError("--assets \(count): the trace's edits are made for \(needed); leave it out")
        }
        return needed
    }

    /// Reads the documents, one for each delivery mode; the built-in costs where none is given.
    fileprivate func costModel() throws(CommandError) -> CostModel {
        let paths = costs.flatMap { $0.split(separator: ",").map(String.init) }
        guard !paths.isEmpty else { return .builtIn(seed: seed) }
        var documents: [Data] = []
        for path in paths {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandError("--costs \(path): cannot be read")
            }
            documents.append(data)
        }
        do throws(CostDocumentError) {
            return try CostModel.measured(documents: documents)
        } catch {
            throw CommandError("--costs \(paths.joined(separator: ",")): \(error)")
        }
    }
}
