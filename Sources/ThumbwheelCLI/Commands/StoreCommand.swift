import Thumbwheel
import ThumbwheelCaching
import ThumbwheelReplay

/// `thumbwheel store`: looks after a store of images on disk.
struct StoreCommand: Command {
    struct Options: CommandSettings {
        var storeBytes = 4 << 30
        var json: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "store stat|verify|compact|empty FOLDER",
            [
                CommandOption("--store-bytes", .byteCount, \.storeBytes, "bytes that the store may take"),
                CommandOption("--json", .file, \.json, "the contents as a document; - for standard output"),
            ])
    }

    private enum Action: String, CaseIterable {
        case stat, verify, compact, empty
    }

    private let action: Action
    private let folder: String
    private let options: Options

    init(_ words: [String]) throws(CommandError) {
        let positional: [String]
        (options, positional) = try Self.table.read(words)
        guard positional.count == 2, let action = Action(rawValue: positional[0]) else {
            throw CommandError("store takes what to do and a folder: stat, verify, compact or empty, then FOLDER")
        }
        (self.action, folder) = (action, positional[1])
    }

    func run() throws(CommandError) -> ExitStatus {
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
    /// The lines for people.
    fileprivate var text: String {
        """
        \(entries) images and refusals, \(negative) of them refusals
        \(valueBytes) bytes of them, \(bytes) bytes on the disk, of \(bound) at most
        \(damaged) damaged
        """
    }
}
