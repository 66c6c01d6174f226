import Foundation
import Thumbwheel

/// The library under test, and what is needed to speak of it in the model's numbers.
final class LibraryHost {
    private(set) var library: PhotoLibrary
    var names = CollectionNames()
    private(set) var log: ChangeLog
    private let gate: SoakGate
    private let complaints: Complaints

    static let configuration = PhotoLibrary.Configuration { $0.historyLimit = 2 * ChangeLog.limit }

    init(gate: SoakGate, _ complaints: Complaints) {
        self.gate = gate
        self.complaints = complaints
        library = PhotoLibrary(configuration: Self.configuration)
        log = ChangeLog(library.currentChangeToken)
    }

    /// How many transactions have been committed since the library was made or loaded.
    var transactionCount: Int { log.count }

    /// Goes on with a library that was loaded, whose history is that of a log.
    func replace(with library: PhotoLibrary, _ log: ChangeLog) {
        self.library = library
        self.log = log
        self.log.loaded(at: library.currentChangeToken)
    }

    func resource(of source: SoakSource) throws -> AssetResource {
        switch source.place {
        case .memory: .bytes(try source.picture.encoded())
        case .provider: .provider(SoakProvider(source, gate: gate))
        }
    }

    /// An asset as a host's own store describes it.
    func asset(_ number: Int, _ source: SoakSource, like item: LibraryModel.Item? = nil) throws -> Asset {
        let bytes = try source.picture.encoded()
        return Asset(
            identifier: AssetIdentifier(soak: number), head: try ImageHead(reading: MemoryByteSource(bytes)),
            resource: try resource(of: source), fileSize: bytes.count, originalFilename: "\(number)",
            isFavorite: item?.isFavorite ?? false, isHidden: item?.isHidden ?? false)
    }

    /// Makes a transaction in the library and in the model, and holds one against the other.
    func perform(
        _ edit: LibraryEdit, through view: PhotoLibrary, _ access: LibraryModel.Access, pinnedTo pin: SeenResults.Pin?,
        _ model: inout LibraryModel
    ) throws(SoakFailure) {
        let before = library.currentChangeToken
        let expected = Result { () throws(Refusal) in try model.apply(edit, by: access) }
        let seen = outcome { try self.transact(edit, view, pin, model) }
        switch (expected, seen) {
        case (.success(let difference), nil):
            try committed(difference, since: before, edit)
        case (.failure(let refusal), let refused?) where refusal == refused: return
        case (let expected, let seen):
            throw SoakFailure(
                .refusal, expected: "\(edit): \(expected)", seen: seen.map { "\($0)" } ?? "a committed transaction")
        }
    }

    /// Nil for a transaction that was committed.
    private func outcome(_ body: () throws -> Void) -> Refusal? {
        do {
            try body()
            return nil
        } catch let error as ChangeError {
            return Refusal(error, names)
        } catch {
            return .other("\(error)")
        }
    }

    func committed(
        _ difference: LibraryDifference, since before: ChangeToken, _ edit: LibraryEdit?
    ) throws(SoakFailure) {
        let hasChanged = library.currentChangeToken != before
        var difference = difference
        if hasChanged, let node = difference.possiblyUpdatedNode { difference.updatedNodes.insert(node) }
        guard hasChanged == !difference.isEmpty else {
            throw SoakFailure(
                .history, expected: "\(edit.map { "\($0)" } ?? "edits"): \(difference)",
                seen: hasChanged ? "a transaction" : "none")
        }
        if hasChanged { log.append(difference, names, library.currentChangeToken) }
    }

    /// Counts transactions that threads made in an order of their own.
    func stormed(_ transactionCount: Int) throws(SoakFailure) {
        let before = log.now
        let changes: [PersistentChange]
        do throws(PersistentChangeError) {
            changes = try library.fetchPersistentChanges(since: before.token)
        } catch {
            throw SoakFailure(.history, expected: "\(transactionCount) changes", seen: "\(error)")
        }
        guard changes.count == transactionCount else {
            throw SoakFailure(.history, expected: "\(transactionCount) changes", seen: "\(changes.count)")
        }
        for change in changes {
            var difference = LibraryDifference()
            difference.updatedAssets = Set(((try? change.assetDetails())?.updated ?? []).map(\.soakNumber))
            log.append(difference, names, change.token)
        }
    }

    private func transact(
        _ edit: LibraryEdit, _ view: PhotoLibrary, _ pin: SeenResults.Pin?, _ model: LibraryModel
    ) throws {
        // What is long in coming is got ready outside the transaction.
        let prepared: (asset: Asset?, resource: AssetResource?) =
            switch edit {
            case .upload(let number, let source) where source.place != .memory:
                (try asset(number, source), nil)
            case .upload(_, let source): (nil, try resource(of: source))
            case .replaceOriginal(let number, let source):
                (try asset(number, source, like: model.item(number)), nil)
            case .adjust(_, let picture): (nil, try resource(of: SoakSource(picture)))
            default: (nil, nil)
            }
        let made = try view.performChangesAndWait { changes in
            try EditTranslation(names: names, pin: pin, asset: prepared.asset, resource: prepared.resource)
                .perform(edit, &changes)
        }
        if let (node, placeholder) = made { names.set(placeholder.identifier, of: node) }
    }
}

extension Refusal {
    init(_ error: ChangeError, _ names: CollectionNames) {
        self =
            switch error.reason {
            case .unknownAsset(let identifier): .unknownAsset(identifier.soakNumber)
            case .unknownCollection(let identifier): .unknownCollection(names.number(identifier))
            case .duplicateAsset(let identifier): .duplicateAsset(identifier.soakNumber)
            case .notRecentlyDeleted(let identifier): .notRecentlyDeleted(identifier.soakNumber)
            case .notAdjusted(let identifier): .notAdjusted(identifier.soakNumber)
            case .indexOutOfRange: .outOfRange
            case .cyclicFolder(let identifier): .cyclicFolder(names.number(identifier))
            case .notInAFolder(let identifier): .notInAFolder(names.number(identifier))
            default: .other("\(error)")
            }
    }
}
