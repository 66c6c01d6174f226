import Foundation
import Thumbwheel
import ThumbwheelGrid
import ThumbwheelReplay

/// What `thumbwheel replay` is asked for.
struct ReplayArguments {
    enum Clock: String, CaseIterable {
        case real, virtual
    }

    /// One setting at several values.
    struct Sweep {
        let key: ReplaySweep.Key
        let values: [Int]
    }

    let paths: [String]
    /// Nil for as many as there are photographs.
    let assetCount: Int?
    /// Nil where there is a trace.
    let scenario: Scenario?
    let trace: ScrollTrace?
    let strategies: [ReplayStrategy]
    let clock: Clock
    let seconds: Double
    let layout: GridLayout
    let seed: UInt64
    let viewerCount: Int
    /// As it was given.
    let providerLatency: String?
    let settings: ReplaySettings
    let costs: CostModel
    let sweep: Sweep?
    let recording: OutputFile?
    let events: OutputFile?
    let json: OutputFile?
    let html: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(
            words,
            options: [
                "--assets", "--scenario", "--trace", "--strategy", "--delivery", "--clock", "--seconds", "--fps",
                "--grid", "--cell", "--costs", "--budget", "--workers", "--seed", "--provider-latency", "--fetches",
                "--placeholders", "--viewers", "--sweep", "--record", "--events", "--json", "--html",
            ],
            flags: ["--no-previews", "--no-placeholders", "--pack"], repeatable: ["--costs"])
        paths = arguments.positional
        strategies = try arguments.choices("--strategy", default: [.thumbwheel])
        clock = try arguments.choice("--clock", default: .real)
        seconds = try arguments.number("--seconds", default: 20, in: 0.1...86_400)
        seed = UInt64(try arguments.integer("--seed", default: 1, in: 0...Int.max))
        viewerCount = try arguments.integer("--viewers", default: 1, in: 1...10_000)
        providerLatency = arguments.string("--provider-latency")
        trace = try arguments.trace("--trace")
        if let trace {
            guard arguments.string("--scenario") == nil else {
                throw CommandError("--trace and --scenario exclude each other; give one of them")
            }
            scenario = nil
            layout = trace.layout
        } else {
            scenario = try arguments.choice("--scenario", default: .brisk)
            layout = try arguments.layout()
        }
        assetCount = try arguments.assetCount("--assets", for: trace)
        let workers = try arguments.integer("--workers", default: 2, in: 1...256)
        let side = try arguments.integer("--cell", default: Int(layout.cellSide.rounded()), in: 1...4096)
        settings = ReplaySettings(
            deliveryMode: try arguments.choice("--delivery", default: .opportunistic),
            targetSize: PixelSize(width: side, height: side),
            framesPerSecond: try arguments.number("--fps", default: 60, in: 1...1000), workerCount: workers,
            budget: try arguments.byteCount("--budget", default: 64 << 20),
            fetchLimit: try arguments.integer("--fetches", default: 4 * workers, in: 1...100_000),
            usesEmbeddedPreviews: !arguments.has("--no-previews"), placeholders: try arguments.placeholders(),
            packsRenditions: arguments.has("--pack"),
            providerLatency: try arguments.latency("--provider-latency", seed: seed),
            recordsEvents: arguments.string("--events") != nil)
        costs = try arguments.costs("--costs", seed: seed)
        sweep = try arguments.sweep("--sweep")
        recording = try arguments.file("--record")
        events = try arguments.file("--events")
        json = try arguments.file("--json")
        html = try arguments.file("--html")
        try checkClock()
    }

    /// What only makes sense where machines are numbers.
    private func checkClock() throws(CommandError) {
        if recording != nil, viewerCount > 1 || sweep?.key == .viewers {
            throw CommandError("--record writes down one viewer's trace; leave --viewers out")
        }
        guard clock == .real else { return }
        let given = [
            ("--viewers", viewerCount > 1), ("--sweep", sweep != nil), ("--provider-latency", providerLatency != nil),
        ].first { $0.1 }
        if let given { throw CommandError("\(given.0) is simulated; add --clock virtual") }
    }
}

// MARK: Values that only a replay has

extension Arguments {
    fileprivate func layout() throws(CommandError) -> GridLayout {
        let cell = try integer("--cell", default: 256, in: 1...4096)
        var grid = PixelSize(width: 4, height: 8)
        if let text = string("--grid") {
            guard let given = PixelSize(text), (1...100).contains(given.width), (1...100).contains(given.height) else {
                throw CommandError("--grid \(text): give COLUMNSxROWS, each from 1 to 100")
            }
            grid = given
        }
        return GridLayout(
            columnCount: grid.width, cellSide: Double(cell),
            viewport: PixelSize(width: grid.width * cell, height: grid.height * cell))
    }

    fileprivate func trace(_ name: String) throws(CommandError) -> ScrollTrace? {
        guard let path = string(name) else { return nil }
        do throws(ScrollTraceError) {
            return try ScrollTrace(contentsOfFile: path)
        } catch {
            throw CommandError("\(name) \(path): \(error)")
        }
    }

    fileprivate func placeholders() throws(CommandError) -> Placeholders {
        let isOff = has("--no-placeholders")
        let chosen = try choice("--placeholders", default: isOff ? Placeholders.none : .seen)
        guard !isOff || chosen == .none else {
            throw CommandError(
                "--no-placeholders and --placeholders \(chosen.rawValue) exclude each other; give one of them")
        }
        return chosen
    }

    /// - Returns: nil for as many as there are photographs.
    fileprivate func assetCount(_ name: String, for trace: ScrollTrace?) throws(CommandError) -> Int? {
        let count = try integer(name, default: 0, in: 0...10_000_000)
        guard let needed = trace?.assetCount else { return count > 0 ? count : nil }
        guard count == 0 || count == needed else {
            throw CommandError("\(name) \(count): the trace's edits are made for \(needed); leave it out")
        }
        return needed
    }

    /// Reads `lognormal:80ms,0.6` or `constant:80ms`.
    fileprivate func latency(_ name: String, seed: UInt64) throws(CommandError) -> LatencyModel? {
        guard let text = string(name) else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.last!.split(separator: ",", omittingEmptySubsequences: false)
        let median = numbers[0].hasSuffix("ms") ? Double(numbers[0].dropLast(2)) : nil
        let sigma = numbers.count > 1 ? Double(numbers[1]) : 0
        let count = ["constant": 1, "lognormal": 2][parts[0]]
        guard parts.count == 2, numbers.count == count, let median, (0...3_600_000).contains(median), let sigma,
            (0...5).contains(sigma)
        else {
            throw CommandError("\(name) \(text): give lognormal:MEDIANms,SIGMA or constant:TIMEms")
        }
        return LatencyModel(medianMilliseconds: median, sigma: sigma, seed: seed)
    }

    /// Of documents, one for each delivery mode; the built-in ones where none is given.
    fileprivate func costs(_ name: String, seed: UInt64) throws(CommandError) -> CostModel {
        let paths = strings(name).flatMap { $0.split(separator: ",").map(String.init) }
        guard !paths.isEmpty else { return .builtIn(seed: seed) }
        var documents: [Data] = []
        for path in paths {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandError("\(name) \(path): cannot be read")
            }
            documents.append(data)
        }
        do throws(CostDocumentError) {
            return try CostModel.measured(documents: documents)
        } catch {
            throw CommandError("\(name) \(paths.joined(separator: ",")): \(error)")
        }
    }

    /// Reads `budget=16MiB..4GiB`, `workers=1..64` or `viewers=1..500`.
    fileprivate func sweep(_ name: String) throws(CommandError) -> ReplayArguments.Sweep? {
        guard let text = string(name) else { return nil }
        let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let limits = words.count == 2 ? words[1].components(separatedBy: "..") : []
        if let key = ReplaySweep.Key(rawValue: words[0]), limits.count == 2 {
            let numbers = limits.map { key == .budget ? ByteCount.parse($0) : Int($0) }
            let range = key.range
            if let first = numbers[0], let last = numbers[1], first <= last, range.contains(first), range.contains(last)
            {
                return ReplayArguments.Sweep(key: key, values: ReplaySweep.values(from: first, to: last))
            }
        }
        throw CommandError(
            "\(name) \(text): give KEY=FROM..TO, for instance budget=16MiB..4GiB, workers=1..64 or viewers=1..500")
    }
}

extension ReplaySweep.Key {
    /// The values that its own option takes.
    fileprivate var range: ClosedRange<Int> {
        switch self {
        case .budget: 1...1 << 40
        case .workers: 1...256
        case .viewers: 1...10_000
        }
    }
}
