import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Columns, chunk by chunk")
struct ColumnsTests {
    private static func library(_ count: Int, _ created: (Int) -> Double?) -> PhotoLibrary {
        let library = PhotoLibrary(now: { Date(timeIntervalSinceReferenceDate: 9e8) })
        library.add((0..<count).map { SampleAssets.asset($0, created: created($0)) })
        return library
    }

    @Test("edits of every row reach the columns, whether they are in the list before these or not")
    func rowEdits() throws {
        let count = 1200
        let library = Self.library(count) { Double($0) }
        var random = SeededGenerator(seed: 3)
        var numbers = [UInt64](repeating: 1, count: count)
        var snapshots = [library.snapshot]
        for _ in 0..<300 {
            let chosen = Set((0..<1 + random.index(below: 40)).map { _ in random.index(below: count) })
            try library.performChangesAndWait { changes in
                for number in chosen { try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() } }
            }
            let snapshot = library.snapshot
            for number in chosen { numbers[number] = snapshot.number }
            try #require(snapshot.brokenInvariants == [])
            snapshots.append(snapshot)
            let older = snapshots[random.index(below: snapshots.count)]
            let changed = snapshot.rowsChanged(since: older).map { Int(snapshot.identifier(of: $0).low) }
            try #require(changed == (0..<count).filter { numbers[$0] > older.number })
        }
        // By slot and by column alike.
        let dates = library.snapshot.chunks.flatMap { $0.columns.modification.prefix($0.columns.count) }
        #expect(zip(dates, numbers).allSatisfy { $0 == 9e8 || $1 == 1 })
        #expect(zip(library.fetchAssets(), numbers).allSatisfy { ($0.modificationDate != nil) == ($1 > 1) })
    }

    @Test("chunks are passed over by their dates, and no row is missed", arguments: [1, 2, 3] as [UInt64])
    func dateBounds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let odd: [Double?] = [nil, .infinity, -.infinity, .nan, -.nan, 0, -0.0]
        let library = Self.library(4000) { number in
            random.index(below: 40) == 0 ? odd[random.index(below: odd.count)] : Double(number / 20)
        }
        for _ in 0..<20 {
            try library.performChangesAndWait { changes in
                for _ in 0..<20 {
                    let date = Date(timeIntervalSinceReferenceDate: Double(random.index(below: 250)))
                    try changes.edit(SampleAssets.identifier(random.index(below: 4000))) { $0.creationDate = date }
                }
            }
            try #require(library.snapshot.brokenInvariants == [])
            let all = library.fetchAssets()
            let start = Date(timeIntervalSinceReferenceDate: Double(random.index(below: 220)))
            let end = start.addingTimeInterval(Double(random.index(below: 20)))
            let (first, last) = (start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
            // Of numbers: nothing but `!=` holds of a NaN.
            let formats: [(PredicateFormat, (Double?) -> Bool)] = [
                (
                    PredicateFormat("creationDate >= %@ AND creationDate < %@", start, end),
                    { date in
                        date.map { $0 >= first && $0 < last } ?? false
                    }
                ),
                (
                    PredicateFormat("creationDate = %@ OR creationDate > %@", start, end),
                    { date in
                        date.map { $0 == first || $0 > last } ?? false
                    }
                ),
                (PredicateFormat("creationDate <= %@", start), { date in date.map { $0 <= first } ?? false }),
                (PredicateFormat("creationDate != %@", start), { $0 != first }),
                (PredicateFormat("NOT creationDate < %@", start), { date in !(date.map { $0 < first } ?? false) }),
            ]
            let dates = all.map { $0.creationDate?.timeIntervalSinceReferenceDate }
            for (format, holds) in formats {
                let options = FetchOptions(predicate: try AssetPredicate(format))
                let found = library.fetchAssets(with: options).numbers
                let isSame = found == zip(all, dates).filter { holds($1) }.map { Int($0.0.identifier.low) }
                try #require(isSame, "\(format.format), seed \(seed)")
            }
        }
    }
}
