import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite struct IdentifierIndexTests {
    /// An index, and the identifiers of its rows.
    private struct Table {
        var index = IdentifierIndex()
        var identifiers: [UInt32: AssetIdentifier] = [:]

        mutating func insert(_ identifier: AssetIdentifier, _ row: UInt32) {
            identifiers[row] = identifier
            index.insert(identifier, row: row) { [identifiers] in identifiers[$0]! }
        }

        mutating func remove(_ row: UInt32) {
            index.remove(identifiers[row]!, row: row)
            identifiers[row] = nil
        }

        func row(of identifier: AssetIdentifier) -> UInt32? { index.row(of: identifier) { identifiers[$0]! } }
    }

    @Test("rows are found, removed and found again, also beyond the numbers that leave room for a tag")
    func wideRows() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var table = Table()
        // Around the greatest row number with a tag, and up to the greatest of all.
        let wide: [UInt32] = [0xFF_FFFC, 0xFF_FFFD, 0xFF_FFFE, 0xFF_FFFF, 0x100_0000, 0x100_0001, .max - 3, .max - 2]
        let rows = (0..<3000).map { UInt32($0) } + wide
        for row in rows { table.insert(AssetIdentifier(high: random.next(), low: random.next()), row) }
        for (row, identifier) in table.identifiers { #expect(table.row(of: identifier) == row, "seed \(seed)") }
        let removed = table.identifiers.filter { $0.key % 3 == 0 }
        for row in removed.keys { table.remove(row) }
        for (row, identifier) in table.identifiers { #expect(table.row(of: identifier) == row, "seed \(seed)") }
        #expect(removed.values.allSatisfy { table.row(of: $0) == nil }, "seed \(seed)")
        for (row, identifier) in removed { table.insert(identifier, row) }
        for (row, identifier) in table.identifiers { #expect(table.row(of: identifier) == row, "seed \(seed)") }
        #expect(table.index.count == rows.count)
    }

    // The second library's row numbers leave no room for tags, so many searches pass the rows of other assets.
    @Test("many identifiers are searched for together as one by one", arguments: [0, 0x100_0000] as [UInt32])
    func together(firstRow: UInt32) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var table = Table()
        for row in 0..<UInt32(5000) {
            table.insert(AssetIdentifier(high: random.next(), low: random.next()), firstRow + row)
        }
        let removed = (0..<UInt32(1000)).map { table.identifiers[firstRow + $0 * 5]! }
        for row in 0..<UInt32(1000) { table.remove(firstRow + row * 5) }
        let unknown = (0..<5000).map { _ in AssetIdentifier(high: random.next(), low: random.next()) }
        let wanted = (table.identifiers.values + removed + unknown + table.identifiers.values.prefix(1000))
            .shuffled(using: &random)
        let rows = Dictionary(uniqueKeysWithValues: table.identifiers.map { ($0.value, $0.key) })
        let found = table.index.rows(of: wanted) { table.identifiers[$0]! }
        #expect(found == wanted.map { rows[$0] }, "seed \(seed)")
        #expect(table.index.rows(of: []) { table.identifiers[$0]! }.isEmpty)
    }

    @Test("a search reads the identifiers of hardly any other rows")
    func searches() {
        var random = SeededGenerator(seed: 1)
        let identifiers = (0..<20_000).map { _ in AssetIdentifier(high: random.next(), low: random.next()) }
        var index = IdentifierIndex()
        for (row, identifier) in identifiers.enumerated() {
            index.insert(identifier, row: UInt32(row)) { identifiers[Int($0)] }
        }
        var readCount = 0
        for identifier in identifiers {
            _ = index.row(of: identifier) { row in
                readCount += 1
                return identifiers[Int(row)]
            }
        }
        // Without tags, a quarter of the searches or more would read a second identifier. The hash has another seed in
        // each process, so the count varies, by a hundredth of this bound.
        #expect(readCount < identifiers.count + identifiers.count / 100)
    }
}
