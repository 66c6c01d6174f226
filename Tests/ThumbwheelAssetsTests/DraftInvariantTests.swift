import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("A transaction that would leave albums and folders in a state that cannot be loaded is not committed")
struct DraftInvariantTests {
    private let library = PhotoLibrary()

    /// Edits a draft as no operation does, and marks collections as touched as operations do.
    private func reason(
        _ touched: [CollectionIdentifier], deleted: [CollectionIdentifier] = [],
        _ body: (inout CollectionTable) -> Void
    ) -> ChangeError.Reason? {
        do {
            try library.performChangesAndWait { changes in
                body(&changes.draft.collections)
                for identifier in touched { changes.markUpdated(identifier) }
                changes.draft.journal.deletedCollections += deleted
            }
            return nil
        } catch {
            return (error as? ChangeError)?.reason
        }
    }

    @Test("every way to break the tree is found, and the library stays as it was")
    func broken() throws {
        library.add((0..<3).map { SampleAssets.asset($0) })
        let (outer, inner, album) = try library.performChangesAndWait { changes in
            let outer = try changes.createFolder(title: "outer").identifier
            let inner = try changes.createFolder(title: "inner", in: outer).identifier
            let album = try changes.createAlbum(title: "album", in: inner).identifier
            try changes.createAlbum(title: "other", in: inner)
            try changes.addAssets((0..<2).map(SampleAssets.identifier), to: album)
            return (outer, inner, album)
        }
        let nowhere = CollectionIdentifier(kind: .album, high: 7, low: 7)
        let before = library.walkThrough()
        typealias Broken = ([CollectionIdentifier], [CollectionIdentifier], (inout CollectionTable) -> Void)
        let cases: [Broken] = [
            ([inner], [], { $0.update(inner) { $0.children.append(nowhere) } }),
            ([inner], [], { $0.update(inner) { $0.children.append(album) } }),
            ([inner], [], { $0.update(inner) { $0.children.insert(album, at: 2) } }),
            ([inner, album], [], { $0.update(inner) { $0.children.removeAll { $0 == album } } }),
            ([inner], [album], { $0[album] = nil }),
            (
                [outer], [inner],
                { table in
                    table[inner] = nil
                    table.update(outer) { $0.children = [] }
                }
            ),
            ([album], [], { $0.update(album) { $0.parent = outer } }),
            (
                [album, outer], [],
                { table in
                    table.update(album) { $0.parent = outer }
                    table.update(outer) { $0.children.append(album) }
                }
            ),
            (
                [outer, inner, .root], [],
                { table in
                    table.update(.root) { $0.children = [] }
                    table.update(outer) { $0.parent = inner }
                    table.update(inner) { $0.children.append(outer) }
                }
            ),
            ([album], [], { $0.update(album) { $0.rows.append(0) } }),
            ([album], [], { $0.update(album) { $0.rows.append(3) } }),
            ([album], [], { $0.update(album) { $0.rows.append(510) } }),
            ([inner], [], { $0.update(inner) { $0.rows = [1] } }),
            ([outer], [], { $0.update(outer) { $0.children.append(.root) } }),
        ]
        for (number, (touched, deleted, body)) in cases.enumerated() {
            guard case .inconsistent = reason(touched, deleted: deleted, body) else {
                Issue.record("case \(number) was committed")
                return
            }
            #expect(library.walkThrough() == before)
        }
        #expect(reason([inner, album]) { $0.update(inner) { $0.children.reverse() } } == nil)
    }
}
