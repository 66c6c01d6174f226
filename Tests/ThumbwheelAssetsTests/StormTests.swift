import Dispatch
import Foundation
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

/// Also run under the thread sanitizer, by `make tsan`.
@Suite("A storm of transactions", .endsHangs)
struct StormTests {
    private static let assetCount = 600
    private static let transactionCount = 150

    /// Every transaction leaves as many assets and as many favourites as it found, and moves assets between two albums.
    private static func transact(
        _ library: PhotoLibrary, _ albums: [CollectionPlaceholder], _ random: inout SeededGenerator, new number: Int
    ) throws {
        let number = assetCount + number
        let (old, toggled) = (random.index(below: assetCount), random.index(below: assetCount / 2))
        let target = random.index(below: 2)
        try library.performChangesAndWait { changes in
            try changes.createAsset(SampleAssets.asset(number, created: Double(number % 50) * 86_400))
            try changes.deleteAssets([SampleAssets.identifier(number)])
            // Pairs of which one is a favourite.
            for number in [2 * toggled, 2 * toggled + 1] {
                try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() }
            }
            let moved = SampleAssets.identifier(old)
            try changes.removeAssets([moved], from: albums[1 - target])
            try changes.addAssets([moved], to: albums[target])
            try changes.edit(moved) {
                $0.creationDate = Date(timeIntervalSinceReferenceDate: Double(old % 40) * 86_400)
            }
            if number % 3 == 0 { try changes.deleteAssetsPermanently([SampleAssets.identifier(number)]) }
        }
    }

    private static func check(_ library: PhotoLibrary, _ albums: [AssetCollection], _ kind: Int) -> Bool {
        switch kind {
        case 0:
            return library.fetchAssets().count { $0.isFavorite } == assetCount / 2
        case 1:
            let sort = [AssetSortDescriptor(.creationDate, ascending: false)]
            let dates = library.fetchAssets(with: FetchOptions(sortDescriptors: sort)).map { $0.creationDate! }
            return dates.count == assetCount && zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 }
        case 2:
            return library.fetchMoments(in: .gmt).reduce(0) { $0 + ($1.estimatedAssetCount ?? 0) } == assetCount
        case 3:
            let members = library.fetchAssets(in: albums[0]).map(\.identifier)
            return Set(members).count == members.count
        default:
            let result = library.fetchAssets()
            return result.indices.allSatisfy { result.index(of: result[$0]) == $0 }
        }
    }

    @Test("readers see only consistent snapshots, and an observer that follows ends where the library does")
    func storm() throws {
        let library = PhotoLibrary()
        library.add(
            (0..<Self.assetCount).map {
                SampleAssets.asset($0, created: Double($0 % 50) * 86_400, favorite: $0 % 2 == 0)
            })
        let placeholders = try library.performChangesAndWait { changes in
            let albums = [try changes.createAlbum(title: "a"), try changes.createAlbum(title: "b")]
            try changes.addAssets((0..<Self.assetCount).map(SampleAssets.identifier), to: albums[0])
            return albums
        }
        let albums = Array(library.fetchAssetCollections(with: .album))
        let sort = [AssetSortDescriptor(.creationDate), AssetSortDescriptor(.isFavorite)]
        let followed = Mutex([
            library.fetchAssets(), library.fetchAssets(with: FetchOptions(sortDescriptors: sort)),
            library.fetchAssets(in: albums[0]), library.fetchAssets(in: albums[1]),
        ])
        let told = Mutex(0)
        let done = Mutex(0)
        let wrong = Mutex<[String]>([])
        let arrived = DispatchSemaphore(value: 0)
        let observation = library.observeChanges { change in
            followed.withLock { results in
                for index in results.indices {
                    guard let details = change.changeDetails(for: results[index]) else { continue }
                    if details.hasIncrementalChanges, details.applied() != Array(details.fetchResultAfterChanges) {
                        wrong.withLock { $0.append("details of \(index)") }
                    }
                    results[index] = details.fetchResultAfterChanges
                }
            }
            told.withLock { $0 += change.transactionCount }
            arrived.signal()
        }
        defer { observation.cancel() }
        let writersLeft = Atomic(2)
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            if thread < 2 {
                var random = SeededGenerator(seed: UInt64(thread))
                for round in 0..<Self.transactionCount {
                    do {
                        try Self.transact(library, placeholders, &random, new: 2 * round + thread)
                        done.withLock { $0 += 1 }
                    } catch {
                        wrong.withLock { $0.append("\(error)") }
                    }
                }
                writersLeft.subtract(1, ordering: .releasing)
                return
            }
            var round = thread
            repeat {
                if !Self.check(library, albums, round % 5) { wrong.withLock { $0.append("check \(round % 5)") } }
                round += 1
            } while writersLeft.load(ordering: .acquiring) > 0
        }
        while told.withLock({ $0 }) < done.withLock({ $0 }) { arrived.wait() }
        #expect(wrong.withLock { $0 } == [])
        followed.withLock { results in
            for result in results { #expect(result == library.fetchAssets(like: result)) }
        }
    }
}
