import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite struct SavedHistoryTests {
    private func reloaded(_ library: PhotoLibrary) throws -> PhotoLibrary {
        PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))
    }

    private func favor(_ number: Int, in library: PhotoLibrary) async throws {
        try await library.performChanges { changes in
            try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() }
        }
    }

    @Test("tokens from before the saving tell what happened since, before it and after the load")
    func tokens() async throws {
        let library = PhotoLibrary()
        let start = library.currentChangeToken
        await library.add((0..<4).map { SampleAssets.asset($0) })
        let early = library.currentChangeToken
        try await favor(1, in: library)
        let saved = library.currentChangeToken
        let loaded = try reloaded(library)
        #expect(try loaded.fetchPersistentChanges(since: saved).isEmpty)
        try await favor(2, in: loaded)
        let stored = try JSONDecoder().decode(ChangeToken.self, from: JSONEncoder().encode(early))
        let changes = try loaded.fetchPersistentChanges(since: stored)
        #expect(try changes.map { try $0.assetDetails().updated.map(\.low) } == [[1], [2]])
        #expect(try loaded.fetchPersistentChanges(since: start).count == 3)
        // Each can be resumed from.
        for (index, change) in changes.enumerated() {
            #expect(try loaded.fetchPersistentChanges(since: change.token).count == 1 - index)
        }
        #expect(try reloaded(loaded).fetchPersistentChanges(since: early).count == 2)
    }

    @Test("a token of a change that was lost is refused, even when as much has happened since")
    func lostChanges() async throws {
        let library = PhotoLibrary()
        await library.add((0..<4).map { SampleAssets.asset($0) })
        let bytes = try library.savedBytes
        try await favor(1, in: library)
        let lost = library.currentChangeToken
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: bytes))
        for number in 0..<3 { try await favor(number, in: loaded) }
        #expect(throws: PersistentChangeError.tokenExpired) { try loaded.fetchPersistentChanges(since: lost) }
        // Two libraries that were loaded from one file go separate ways.
        let other = PhotoLibrary(try PhotoLibrary.state(loading: bytes))
        try await favor(0, in: other)
        #expect(throws: PersistentChangeError.tokenExpired) {
            try loaded.fetchPersistentChanges(since: other.currentChangeToken)
        }
    }

    @Test("a token from before all that is remembered is refused after a load, too")
    func boundedHistory() async throws {
        let library = PhotoLibrary(configuration: PhotoLibrary.Configuration { $0.historyLimit = 10 })
        await library.add([SampleAssets.asset(0)])
        let old = library.currentChangeToken
        for _ in 0..<40 { try await favor(0, in: library) }
        let loaded = try reloaded(library)
        #expect(throws: PersistentChangeError.tokenExpired) { try loaded.fetchPersistentChanges(since: old) }
        #expect(loaded.state.history.entries.count == library.state.history.entries.count)
    }

    private func entry(_ number: UInt64, assetCount: Int) -> ChangeHistory.Entry {
        ChangeHistory.Entry(
            number: number,
            details: ChangeHistory.Details(updatedAssets: (0..<assetCount).map { SampleAssets.identifier($0) }))
    }

    @Test("of a longer history the newest entries are read, in no more memory than the limit", arguments: [0, 3, 500])
    func bytesWhileReading(assetCount: Int) throws {
        var history = ChangeHistory()
        for number in 1...5000 { history.append(entry(UInt64(number), assetCount: assetCount), byteLimit: .max) }
        var writer = BlockWriter()
        history.write(to: &writer)
        var reader = BlockReader(writer.bytes)
        let read = try ChangeHistory(from: &reader, number: 5000, byteLimit: 100_000)
        #expect(reader.remainingCount == 0 && read.byteCount <= 100_000 && read.byteCount > 80_000)
        #expect(read.entries.map(\.number) == Array(UInt64(5001 - read.entries.count)...5000))
        #expect(read.entries.allSatisfy { $0.details?.updatedAssets.count == assetCount })
    }

    @Test("a limit on transactions may be any number", arguments: [Int.min, -1, 0, 1, .max])
    func oddLimits(limit: Int) async throws {
        let library = PhotoLibrary(configuration: PhotoLibrary.Configuration { $0.historyLimit = limit })
        await library.add([SampleAssets.asset(0)])
        for _ in 0..<40 { try await favor(0, in: library) }
        let count = library.state.history.entries.count
        #expect(limit == .max ? count == 41 : (max(0, limit)...16).contains(count))
    }

    @Test("a library that is loaded again and again remembers as much as it needs")
    func manyLoads() throws {
        var library = PhotoLibrary()
        for _ in 0..<1100 { library = PhotoLibrary(library.state) }
        #expect(library.state.history.timelines.count <= 1001)
        library.add([SampleAssets.asset(0)])
        for _ in 0..<3 { library = try reloaded(library) }
        #expect(try library.fetchPersistentChanges(since: library.currentChangeToken).isEmpty)
    }

    @Test("observers and results of a loaded library learn of its changes")
    func observers() async throws {
        let library = PhotoLibrary()
        await library.add((0..<600).map { SampleAssets.asset($0) })
        let loaded = try reloaded(library)
        let before = loaded.fetchAssets()
        var changes = loaded.changes.makeAsyncIterator()
        try await loaded.performChanges { changes in
            try changes.deleteAssets([SampleAssets.identifier(3)])
            try changes.edit(SampleAssets.identifier(5)) { $0.isFavorite = true }
        }
        let change = try #require(await changes.next())
        let details = try #require(change.changeDetails(for: before))
        #expect(details.removedIndexes == [3] && details.changedIndexes == [4])
        #expect(change.changeDetails(for: before[5])?.objectAfterChanges?.isFavorite == true)
    }

    @Test("what is saved during a storm of transactions is one moment of the library")
    func consistency() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        let library = PhotoLibrary()
        await library.add((0..<1200).map { SampleAssets.asset($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Each transaction turns all favourites over: every moment has all or none.
            group.addTask {
                while !Task.isCancelled {
                    try await library.performChanges { changes in
                        for number in 0..<1200 {
                            try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() }
                        }
                    }
                }
            }
            for _ in 0..<10 {
                try await library.save(to: path)
                let loaded = try await PhotoLibrary(loading: path)
                let count = loaded.fetchAssets().count { $0.isFavorite }
                #expect(count == 0 || count == 1200)
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
