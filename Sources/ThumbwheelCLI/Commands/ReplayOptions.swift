import Thumbwheel
import ThumbwheelGrid
import ThumbwheelRedis
import ThumbwheelReplay

/// The options of `thumbwheel replay` as they are given, each checked by itself.
struct ReplayOptions: CommandSettings {
    enum Clock: String, CaseIterable {
        case real, virtual
    }

    var assetCount: Int?
    var scenario: Scenario?
    var trace: ScrollTrace?
    var strategies = [ReplayStrategy.thumbwheel]
    var delivery = DeliveryMode.opportunistic
    var clock = Clock.real
    var costs: [String] = []
    var seconds = 20.0
    var framesPerSecond = 60.0
    var grid = PixelSize(width: 4, height: 8)
    var cell: Int?
    var layout: LayoutKind?
    var axis: ScrollAxis?
    var spacing: Int?
    var insets: Int?
    var budget = 64 << 20
    var workers = 2
    var seed: UInt64 = 1
    var usesPreviews = true
    var placeholders: Placeholders?
    var hasPlaceholders = true
    var packs = false
    var isolation = Isolation.none
    var providerLatency: ProviderLatency?
    var fetches: Int?
    var viewers: Int?
    var store: String?
    var storeBytes = 4 << 30
    var storeLatency: ProviderLatency?
    var redis: RedisURL?
    var servers: Int?
    var sharedBytes = 4 << 30
    var sharedLatency: ProviderLatency?
    var seen: Int?
    var restartSeconds: Double?
    var encoding: WarmEncoding?
    var sweep: SweptValues?
    var recording: OutputFile?
    var events: OutputFile?
    var json: OutputFile?
    var html: OutputFile?

    static var table: OptionTable<ReplayOptions> {
        OptionTable(
            "replay PHOTOS…",
            [
                CommandOption(
                    "--assets", .integer(in: 0...10_000_000), \.assetCount, "assets of the grid; as many as photographs"
                ),
                CommandOption(
                    "--scenario", .choice, \.scenario, "how the finger scrolls; brisk, unless there is a trace"),
                CommandOption("--trace", .trace, \.trace, "a recorded scroll, instead of a scenario"),
                CommandOption("--strategy", .choices(), \.strategies, "who asks for images; thumbwheel alone"),
                CommandOption("--delivery", .choice, \.delivery, "of requests; high shows no placeholders"),
                CommandOption("--clock", .choice, \.clock, "play on threads, or simulate machines and costs"),
                CommandOption(
                    repeatable: "--costs", .text("FILE"), \.costs,
                    "measured costs of renders, for the virtual clock; a document\nof render for each delivery mode"),
                CommandOption("--seconds", .number(in: 0.1...86_400), \.seconds, "the length of the scroll"),
                CommandOption("--fps", .number(in: 1...1000), \.framesPerSecond, "frames a second"),
                CommandOption("--grid", .grid, \.grid, "columns and rows on a screen"),
                CommandOption(
                    "--cell", .integer(in: 1...4096), \.cell, "the side of a cell in pixels: 256, or the trace's"),
                CommandOption(
                    "--layout", .choice, \.layout,
                    "equal cells (grid, the default), lines of photographs with\ntheir own aspect ratios, or sections with headers"
                ),
                CommandOption("--axis", .choice, \.axis, "the direction of the scroll; vertical, or the trace's"),
                CommandOption(
                    "--spacing", .integer(in: 0...1000), \.spacing, "pixels between cells; 0, or the trace's"),
                CommandOption(
                    "--insets", .integer(in: 0...1000), \.insets, "pixels around all cells; 0, or the trace's"),
                CommandOption("--budget", .byteCount, \.budget, "bytes for the cache and running renders"),
                CommandOption("--workers", .integer(in: 1...256), \.workers, "render threads"),
                CommandOption("--seed", .seed, \.seed, "the seed of the scroll and of simulated times"),
                CommandOption(flag: "--no-previews", \.usesPreviews, "do without previews in the files"),
                CommandOption(
                    "--placeholders", .choice, \.placeholders,
                    "cells have placeholders where their asset was decoded\nbefore (seen, the default), all of them, or none"
                ),
                CommandOption(flag: "--no-placeholders", \.hasPlaceholders, "the same as --placeholders none"),
                CommandOption(flag: "--pack", \.packs, "idle workers pack cached images"),
                CommandOption("--isolation", .choice, \.isolation, "the files that are decoded outside the process"),
                CommandOption(
                    "--provider-latency", .latency, \.providerLatency,
                    "files come from a provider that takes so long: a median\nand a sigma, or constant:80ms; virtual clock only"
                ),
                CommandOption(
                    "--fetches", .integer(in: 1...100_000), \.fetches, "files that come at once; 4 for each worker"),
                CommandOption(
                    "--viewers", .integer(in: 1...10_000), \.viewers,
                    "grids that share workers, cache and budget, or are spread over\nservers: 1, or one for each server; "
                        + "virtual clock only"),
                CommandOption(
                    "--store", .text("FOLDER"), \.store,
                    "finished images go to a store in this folder; on the virtual\nclock the store is simulated, and the "
                        + "folder left alone"),
                CommandOption("--store-bytes", .byteCount, \.storeBytes, "bytes that the store may take"),
                CommandOption(
                    "--store-latency", .latency, \.storeLatency,
                    "the time of a look-up in a simulated store; lognormal:0.3ms,0.5"),
                CommandOption("--redis", .redis, \.redis, "finished images go to this Redis as well; real clock only"),
                CommandOption(
                    "--servers", .integer(in: 1...1_000), \.servers,
                    "servers behind one shared store, each with workers, cache,\nbudget and --store of its own; virtual "
                        + "clock only"),
                CommandOption("--shared-bytes", .byteCount, \.sharedBytes, "bytes that the shared store may take"),
                CommandOption(
                    "--shared-latency", .latency, \.sharedLatency,
                    "a round trip to the shared store; lognormal:0.5ms,0.5"),
                CommandOption(
                    "--seen", .integer(in: 0...10_000_000), \.seen,
                    "assets whose images the stores have from the start;\nvirtual clock only"),
                CommandOption(
                    "--restart-at", .number(in: 0...86_400), \.restartSeconds,
                    "the second at which all processes end and begin anew;\nvirtual clock only"),
                CommandOption(
                    "--encoding", .choice, \.encoding,
                    "ask for files of this format: jpeg with --servers, as pages\nof a service do, or else none, for "
                        + "pixels; virtual clock only"),
                CommandOption(
                    "--sweep", .sweep, \.sweep, "play budget, workers or viewers at each doubling;\nvirtual clock only"),
                CommandOption("--record", .file, \.recording, "write the scroll down as a trace"),
                CommandOption(
                    "--events", .file, \.events,
                    "a time line for Perfetto (ui.perfetto.dev): a track for each\nworker, requests, queues, the budget"
                ),
                CommandOption("--json", .file, \.json, "the results as a document; - for standard output"),
                CommandOption("--html", .file, \.html, "a report to open in a browser"),
            ])
    }
}

// MARK: Values that only a replay has

extension ValueForm<ScrollTrace> {
    fileprivate static var trace: ValueForm {
        ValueForm("FILE") { (name, path) throws(CommandError) in
            do throws(ScrollTraceError) {
                return try ScrollTrace(contentsOfFile: path)
            } catch {
                throw CommandError("\(name) \(path): \(error)")
            }
        }
    }
}

extension ValueForm<ProviderLatency> {
    /// `lognormal:80ms,0.6` or `constant:80ms`.
    fileprivate static var latency: ValueForm {
        ValueForm("lognormal:80ms,0.6") { (name, text) throws(CommandError) in
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
            return ProviderLatency(text: text, medianMilliseconds: median, sigma: sigma)
        }
    }
}

extension ValueForm<SweptValues> {
    /// `budget=16MiB..4GiB`, `workers=1..64` or `viewers=1..500`.
    fileprivate static var sweep: ValueForm {
        ValueForm("budget=16MiB..4GiB") { (name, text) throws(CommandError) in
            let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let limits = words.count == 2 ? words[1].split(separator: "..", omittingEmptySubsequences: false) : []
            if let key = ReplaySweep.Key(rawValue: words[0]), limits.count == 2 {
                let numbers = limits.map { key == .budget ? ByteCount.parse(String($0)) : Int($0) }
                let range = key.range
                if let first = numbers[0], let last = numbers[1], first <= last, range.contains(first),
                    range.contains(last)
                {
                    return SweptValues(key: key, values: ReplaySweep.values(from: first, to: last))
                }
            }
            throw CommandError(
                "\(name) \(text): give KEY=FROM..TO, for instance budget=16MiB..4GiB, workers=1..64 or viewers=1..500")
        }
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
