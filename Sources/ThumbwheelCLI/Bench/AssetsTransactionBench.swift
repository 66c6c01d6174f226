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
        var times = [[Double]](repeating: [], count: libraries.count)
        for _ in 0..<options.rounds * 10 {
            for (index, entry) in libraries.enumerated() {
                let chosen = (0..<Self.editCount).map { _ in
                    identifiers[index][random.index(below: identifiers[index].count)]
                }
                times[index].append(try Stopwatch.milliseconds { try Self.edit(chosen, in: entry.library) }.time)
            }
        }
        // The peer of all sizes is the smallest, in the same rounds.
        let smallest = times[0]
        var rows = zip(libraries, times).map { entry, times in
            BenchRow(
                "assets.transaction100.\(entry.count)", unit: "milliseconds", rounds: times,
                peer: "the same at \(libraries[0].count)",
                peerRounds: smallest)
        }
        rows.append(try await changeDetails(library, random))
        return rows
    }

    /// Favourites, and now and then another date, which moves an asset in most orders.
    private static func edit(_ identifiers: [AssetIdentifier], in library: PhotoLibrary) throws {
        try library.changeAndWait { changes in
            for (index, identifier) in identifiers.enumerated() {
                try changes.edit(identifier) { edits in
                    edits.isFavorite.toggle()
                    if index % 10 == 0 {
                        edits.creationDate = edits.creationDate?.addingTimeInterval(86_400 * Double(index - 50))
                    }
                }
            }
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
            try Self.edit(chosen, in: library)
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
