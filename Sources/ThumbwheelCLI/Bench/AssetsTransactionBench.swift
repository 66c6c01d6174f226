import Foundation
import Thumbwheel

/// Transactions of a hundred edits, and what a large result learns of them.
struct AssetsTransactionBench {
    private let options: BenchOptions

    init(_ options: BenchOptions) {
        self.options = options
    }

    private static let editCount = 100

    func rows(_ library: PhotoLibrary) async throws -> [BenchRow] {
        let sizes = [10_000, 100_000].filter { $0 < options.assetCount }
        var libraries: [(count: Int, library: PhotoLibrary)] = []
        for size in sizes {
            let synthetic = SyntheticLibrary(count: size, seed: options.seed)
            libraries.append((size, try synthetic.library(albumCount: max(1, size / 500)).library))
        }
        libraries.append((options.assetCount, library))
        var random = SeededGenerator(seed: options.seed)
        let identifiers = libraries.map { $0.library.fetchAssets().map(\.identifier) }
        let none = [[Double]](repeating: [], count: libraries.count)
        var (times, timesTogether) = (none, none)
        for _ in 0..<options.rounds * 10 {
            // Each transaction comes after one of another library, which has taken its place in the processor's caches.
            func addTimes(
                to times: inout [[Double]], _ edit: ([AssetIdentifier], PhotoLibrary) throws -> Void
            ) rethrows {
                for (index, entry) in libraries.enumerated() {
                    let chosen = (0..<Self.editCount).map { _ in
                        identifiers[index][random.index(below: identifiers[index].count)]
                    }
                    times[index].append(try Stopwatch.milliseconds { try edit(chosen, entry.library) }.time)
                }
            }
            try addTimes(to: &times, Self.edit)
            try addTimes(to: &timesTogether, Self.editTogether)
        }
        // The peer of all sizes is the smallest, in the same rounds.
        func rows(_ name: String, _ times: [[Double]]) -> [BenchRow] {
            zip(libraries, times).map { entry, rounds in
                BenchRow(
                    "\(name).\(entry.count)", unit: "milliseconds", rounds: rounds,
                    peer: "the same at \(libraries[0].count)", peerRounds: times[0])
            }
        }
        return rows("assets.transaction100", times) + rows("assets.transaction100Together", timesTogether)
            + [try await changeDetails(library, random)]
    }

    /// Favourites, and now and then another date, which moves an asset in most orders.
    private static func edit(_ identifiers: [AssetIdentifier], _ library: PhotoLibrary) throws {
        try library.changeAndWait { changes in
            for (index, identifier) in identifiers.enumerated() {
                try changes.edit(identifier) { change(&$0, index) }
            }
        }
    }

    /// The same edits, in one call.
    private static func editTogether(_ identifiers: [AssetIdentifier], _ library: PhotoLibrary) throws {
        try library.changeAndWait { changes in
            var index = 0
            try changes.editAssets(identifiers) { _, edits in
                change(&edits, index)
                index += 1
            }
        }
    }

    private static func change(_ edits: inout AssetEdits, _ index: Int) {
        edits.isFavorite.toggle()
        if index % 10 == 0 {
            edits.creationDate = edits.creationDate?.addingTimeInterval(86_400 * Double(index - 50))
        }
    }

    private func changeDetails(_ library: PhotoLibrary, _ random: SeededGenerator) async throws -> BenchRow {
        var random = random
        var changes = library.changes.makeAsyncIterator()
        let fetch = FetchOptions(
            sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)], includeHiddenAssets: true,
            includeAllBurstAssets: true)
        var times: (ours: [Double], peer: [Double]) = ([], [])
        for _ in 0..<options.rounds {
            let before = library.fetchAssets(with: fetch)
            let chosen = (0..<Self.editCount).map { _ in before[random.index(below: before.count)].identifier }
            try Self.edit(chosen, library)
            guard let change = await changes.next() else { continue }
            let (time, details) = Stopwatch.milliseconds { change.changeDetails(for: before) }
            times.ours.append(time)
            let old = before.map(\.identifier)
            let new = (details?.fetchResultAfterChanges ?? before).map(\.identifier)
            times.peer.append(Stopwatch.milliseconds { Stopwatch.consume(new.difference(from: old)) }.time)
        }
        return BenchRow(
            "assets.changeDetails", unit: "milliseconds", rounds: times.ours, peer: "CollectionDifference",
            peerRounds: times.peer)
    }
}
