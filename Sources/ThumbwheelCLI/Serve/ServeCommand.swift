import Foundation
import Thumbwheel
import ThumbwheelRedis
import ThumbwheelServer
import ThumbwheelService

/// `thumbwheel serve`: a gallery of folders in a browser.
struct ServeCommand: Command {
    struct Options: CommandSettings {
        var listen = "127.0.0.1:8080"
        var host: String?
        var port: Int?
        var config: String?
        var library: String?
        var store: String?
        var storeBytes = 4 << 30
        var redis: RedisURL?
        var memory = HostResources.current.memoryByteCount / 4
        var isolation = Isolation.untrusted
        var workers = HostResources.current.processorCount
        var threads = ServiceServer.Configuration().threadCount
        var connections = ServiceServer.Configuration().connectionLimit
        var ladder = "64,128,192,256,384,512,768,1024,1536,2048"
        var quality = 82
        var hosts: String?
        var secret: String?
        var tenants: String?
        var metricsToken: String?
        var isSigned = false
        var traces: String?
        var makesPlaceholders = true
        var purgeDays = 30
        var grace = 10
        var json: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "serve FOLDER…",
            [
                CommandOption(
                    "--listen", .text("ADDRESS:PORT"), \.listen,
                    "where to listen; [::]:8080 for everybody, port 0 for any"),
                CommandOption("--host", .text("ADDRESS"), \.host, "the address alone"),
                CommandOption("--port", .integer(in: 0...65_535), \.port, "the port alone"),
                CommandOption("--config", .text("FILE"), \.config, "options as lines such as 'port = 8080'"),
                CommandOption("--library", .text("FILE"), \.library, "keep favourites and albums in this file"),
                CommandOption("--store", .text("FOLDER"), \.store, "keep finished images in this store"),
                CommandOption("--store-bytes", .byteCount, \.storeBytes, "bytes that the store may take"),
                CommandOption("--redis", .redis, \.redis, "share finished images with other servers over this Redis"),
                CommandOption("--budget", .byteCount, \.memory, "bytes for images in memory"),
                CommandOption("--memory", .byteCount, \.memory, "the same as --budget"),
                CommandOption("--workers", .integer(in: 1...256), \.workers, "render threads"),
                CommandOption("--isolation", .choice, \.isolation, "the files that are decoded outside the process"),
                CommandOption("--threads", .integer(in: 1...64), \.threads, "threads that receive and send"),
                CommandOption("--connections", .integer(in: 1...100_000), \.connections, "connections at once"),
                CommandOption("--ladder", .text("PIXELS,…"), \.ladder, "the sides that pictures are made in"),
                CommandOption("--quality", .integer(in: 1...100), \.quality, "the quality of JPEG and WebP"),
                CommandOption(
                    "--hosts", .text("NAME,…"), \.hosts,
                    "the domain names by which browsers come, while no tokens are needed"),
                CommandOption("--secret", .text("FILE"), \.secret, "a file with the secret of names and signatures"),
                CommandOption("--tenants", .text("FILE"), \.tenants, "users with tokens, as JSON"),
                CommandOption("--metrics-token", .text("TOKEN"), \.metricsToken, "what /metrics takes"),
                CommandOption(flag: "--signed", \.isSigned, "deliver pictures at signed addresses only"),
                CommandOption("--record", .text("FOLDER"), \.traces, "store the scrolls that pages record"),
                CommandOption("--traces", .text("FOLDER"), \.traces, "the same as --record"),
                CommandOption(
                    flag: "--no-placeholders", \.makesPlaceholders, "make no placeholders ahead"),
                CommandOption(
                    "--purge-days", .integer(in: 0...36_500), \.purgeDays,
                    "days after which photographs whose files are gone are forgotten; 0 for never"),
                CommandOption("--grace", .integer(in: 0...600), \.grace, "seconds that requests have at the end"),
                CommandOption("--json", .file, \.json, "the access log, an object a line; - for standard output"),
            ])
    }

    private let folders: [String]
    private let options: Options
    private let address: ListenAddress

    init(_ words: [String]) throws(CommandError) {
        try self.init(words, environment: ProcessInfo.processInfo.environment)
    }

    /// - Parameter environment: Holds options as `THUMBWHEEL_PORT`; the command line goes before it, and it before the
    ///   file that `--config` names.
    init(_ words: [String], environment: [String: String]) throws(CommandError) {
        let positional: [String]
        (options, positional) = try ServeSettings.read(words, environment: environment)
        guard !positional.isEmpty else { throw CommandError("serve takes folders of photographs") }
        folders = ServedFolders.outermost(positional)
        var address = try ListenAddress(options.listen)
        if let host = options.host { address.host = host }
        if let port = options.port { address.port = port }
        self.address = address
    }

    private func imageManager(_ shared: RedisStore?) throws(CommandError) -> ImageManager {
        do throws(ImageManager.ConfigurationError) {
            return try ImageManager(
                configuration: ImageManager.Configuration {
                    $0.workerCount = options.workers
                    $0.memoryBudget = options.memory
                    $0.isolate(options.isolation)
                    $0.roots = folders
                    $0.refusesChangedFiles = true
                    $0.store = options.store.map {
                        ImageManager.Configuration.Store(folder: $0, byteLimit: options.storeBytes)
                    }
                    $0.sharedStore = shared
                })
        } catch {
            throw CommandError("\(error)")
        }
    }

    func run() async throws(CommandError) -> ExitStatus {
        // If connections took all descriptors, none could be answered.
        let connections = min(options.connections, OpenFileLimit.raise().map(OpenFileLimit.connectionLimit) ?? .max)
        var kept: KeptLibrary?
        if let path = options.library { kept = try await KeptLibrary(path: path) }
        let library = kept?.library ?? PhotoLibrary()
        let shared = options.redis.map { RedisStore(RedisStore.Configuration(url: $0)) }
        defer { shared?.close() }
        let manager = try imageManager(shared)
        manager.follow(library)
        let traces = try options.traces.map { path throws(CommandError) in try TraceFolder(path: path) }
        let configuration = try serviceConfiguration(traces)
        let handler: ServiceHandler
        if let file = options.tenants {
            let tenants = try TenantFile(path: file, folders: folders).tenants(of: library)
            handler = ServiceHandler(tenants: tenants, manager: manager, configuration: configuration)
        } else {
            handler = ServiceHandler(library: library, manager: manager, configuration: configuration)
        }
        let log = try options.json.map { json throws(CommandError) in try AccessLog(json) }
        // Without a log there is nothing to do, but whoever manages services sends the signal to each. A terminal that is closed
        // sends it to end what runs there.
        let isOfTerminal = log == nil && isatty(STDIN_FILENO) == 1
        let hangUp = isOfTerminal ? nil : TerminationSignal.onHangUp { log?.reopen() }
        defer { hangUp?.cancel() }
        let following = try follow(library, manager, handler)
        let server: ServiceServer
        do throws(ServerError) {
            server = try ServiceServer(
                handler: handler, configuration: serverConfiguration(log, connections: connections))
        } catch {
            throw CommandError("\(error)")
        }
        announce("listening on " + ListenAddress.url(address.host, server.port))
        if connections < options.connections {
            report("\(connections) connections at once: the system allows no more open files")
        }
        kept?.begin()
        let purge = DailyPurge(of: library, days: options.purgeDays)
        await TerminationSignal.wait()
        handler.setReady(false)
        if await !server.stop(within: .seconds(options.grace)) { report("what had not ended was cancelled") }
        purge.end()
        for each in following { each.cancel() }
        await kept?.end()
        await manager.shutdown(graceful: false)
        log?.flush()
        traces?.flush()
        return .done
    }

    /// Tells that requests are taken, on the standard output unless the access log goes there.
    private func announce(_ line: String) {
        let output = options.json?.path == "-" ? FileHandle.standardError : .standardOutput
        try? output.write(contentsOf: Data((line + "\n").utf8))
    }

    private func serviceConfiguration(_ traces: TraceFolder?) throws(CommandError) -> ServiceHandler.Configuration {
        let steps = options.ladder.split(separator: ",").map { Int($0) ?? 0 }
        guard !steps.isEmpty, steps.allSatisfy({ (1...16_384).contains($0) }) else {
            throw CommandError("--ladder \(options.ladder): give sides in pixels with commas between")
        }
        var configuration = ServiceHandler.Configuration()
        configuration.ladder = SizeLadder(steps)
        configuration.quality = options.quality
        configuration.roots = folders
        configuration.hosts = (options.hosts ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        configuration.requiresSignatures = options.isSigned
        configuration.operationsToken = options.metricsToken
        if let secret = options.secret {
            guard let bytes = FileManager.default.contents(atPath: secret), bytes.count >= 16 else {
                throw CommandError("--secret \(secret): give a file of at least 16 bytes")
            }
            configuration.secret = ServiceSecret(Array(bytes))
        } else if options.isSigned || options.tenants != nil {
            throw CommandError("--signed and --tenants need --secret FILE")
        }
        configuration.traceHandler = traces.map { $0.store }
        return configuration
    }

    private func serverConfiguration(_ log: AccessLog?, connections: Int) -> ServiceServer.Configuration {
        ServiceServer.Configuration {
            $0.host = address.host
            $0.port = address.port
            $0.threadCount = options.threads
            $0.connectionLimit = connections
            if let log { $0.log = log.write }
        }
    }

    /// Imports the folders and follows them. The service is ready once the first import of each is over.
    private func follow(
        _ library: PhotoLibrary, _ manager: ImageManager, _ handler: ServiceHandler
    ) throws(CommandError) -> [FolderFollowing] {
        let maker = PlaceholderMaker(
            library, manager, width: options.workers, isBusy: { handler.isBusy },
            setMissing: { handler.setPlaceholdersMissing($0) })
        let readiness = FolderReadiness(folders)
        return try folders.map { folder throws(CommandError) in
            try follow(folder, library) { findings in
                if readiness.note(folder) { handler.setReady(true) }
                if options.makesPlaceholders {
                    maker.make(findings.added.map(\.identifier) + findings.changed.map(\.identifier))
                }
            }
        }
    }

    private func follow(
        _ folder: String, _ library: PhotoLibrary, _ noteImport: @escaping @Sendable (ImportReport) -> Void
    ) throws(CommandError) -> FolderFollowing {
        do throws(ImportError) {
            return try library.follow(folder) { event in
                switch event {
                case .imported(let findings):
                    noteImport(findings)
                    let skipped = findings.skipped.isEmpty ? "" : ", \(findings.skipped.count) skipped"
                    report("\(findings.added.count) new, \(findings.removed.count) gone\(skipped)")
                case .failed(let error): report("\(error)")
                case .unwatchable(let path, _): report("\(path) cannot be watched, and is looked at each minute")
                case .folderVanished(let path): report("\(path) has vanished")
                case .eventsLost: break
                }
            }
        } catch {
            throw CommandError("\(error)")
        }
    }
}
