import Thumbwheel
import ThumbwheelCaching
import ThumbwheelRedis
import ThumbwheelReplay

/// `thumbwheel store`: looks after a store of images on disk, or of one that servers share.
struct StoreCommand: Command {
    struct Options: CommandSettings {
        var storeBytes = 4 << 30
        var redis: RedisURL?
        var json: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "store stat|verify|compact|empty FOLDER",
            [
                CommandOption("--store-bytes", .byteCount, \.storeBytes, "bytes that the store may take"),
                CommandOption(
                    "--redis", .redis, \.redis,
                    "the store of several servers, instead of a folder; it has\nnothing to compact"),
                CommandOption("--json", .file, \.json, "the contents as a document; - for standard output"),
            ])
    }

    private enum Action: String, CaseIterable {
        case stat, verify, compact, empty
    }

    private let action: Action
    /// Nil for the store of several servers.
    private let folder: String?
    private let options: Options

    init(_ words: [String]) throws(CommandError) {
        let positional: [String]
        (options, positional) = try Self.table.read(words)
        let wordCount = options.redis == nil ? 2 : 1
        guard positional.count == wordCount, let action = Action(rawValue: positional[0]) else {
            throw CommandError(
                "store takes what to do and a folder: stat, verify, compact or empty, then FOLDER or --redis HOST:PORT")
        }
        guard options.redis == nil || action != .compact else {
            throw CommandError("store compact: Redis has nothing to compact")
        }
        (self.action, folder) = (action, positional.count > 1 ? positional[1] : nil)
    }

    func run() async throws(CommandError) -> ExitStatus {
        if let folder { return try look(after: folder) }
        if let redis = options.redis { return try await look(after: redis) }
        return .done
    }

    private func look(after url: RedisURL) async throws(CommandError) -> ExitStatus {
        let store = RedisStore(RedisStore.Configuration(url: url))
        defer { store.close() }
        let contents: RedisStoreContents
        do throws(RedisError) {
            contents = try await act(on: store)
        } catch {
            throw CommandError("\(url): \(error)")
        }
        var document = StoreDocument(
            entries: contents.entryCount, bytes: contents.usedByteCount, valueBytes: contents.valueByteCount,
            bound: contents.byteLimit, negative: contents.negativeCount, damaged: contents.damagedCount)
        document.evictionPolicy = contents.evictionPolicy
        if let json = options.json { try json.write(encoding: document) } else { print(document.textOfRedis) }
        if !contents.isBounded {
            report("\(url): set maxmemory and the policy allkeys-lru, for nothing in the store ever expires")
        }
        return contents.damagedCount > 0 ? .negative : .done
    }

    private func act(on store: RedisStore) async throws(RedisError) -> RedisStoreContents {
        switch action {
        case .stat, .compact: return try await store.contents()
        case .verify: return try await store.verify()
        case .empty:
            try await store.removeAll()
            return try await store.contents()
        }
    }

    private func look(after folder: String) throws(CommandError) -> ExitStatus {
        let contents: StoreContents
        do throws(StoreError) {
            contents = try act(on: DiskStore(DiskStore.Configuration(folder: folder, byteLimit: options.storeBytes)))
        } catch {
            throw CommandError("\(folder): \(error)")
        }
        let document = StoreDocument(
            entries: contents.entryCount, bytes: contents.byteCount, valueBytes: contents.valueByteCount,
            bound: options.storeBytes, negative: contents.negativeCount, damaged: contents.damagedCount)
        if let json = options.json { try json.write(encoding: document) } else { print(document.text) }
        return contents.damagedCount > 0 ? .negative : .done
    }

    private func act(on store: DiskStore) throws(StoreError) -> StoreContents {
        switch action {
        case .stat: return try store.contents()
        case .verify: return try store.verify()
        case .compact: return try store.compact()
        case .empty:
            try store.removeAll()
            return try store.contents()
        }
    }
}

extension StoreDocument {
    /// The lines for people, of a store on Redis.
    fileprivate var textOfRedis: String {
        """
        \(entries) images and refusals, \(negative) of them refusals
        \(valueBytes) bytes of them; Redis takes \(bytes) bytes, of \(bound) at most, policy \(evictionPolicy ?? "")
        \(damaged) damaged
        """
    }

    /// The lines for people.
    fileprivate var text: String {
        """
        \(entries) images and refusals, \(negative) of them refusals
        \(valueBytes) bytes of them, \(bytes) bytes on the disk, of \(bound) at most
        \(damaged) damaged
        """
    }
}
