import Foundation

/// What a fetch found, in order: it never changes, whatever becomes of the library (rows 57 and 58).
///
/// A result of assets holds four bytes for each and makes the assets when they are asked for; it keeps what the library
/// held when it was fetched.
public struct FetchResult<Element: Sendable>: RandomAccessCollection, Sendable {
    enum Storage: Sendable {
        case elements([Element])
        case rows(AssetRows, make: @Sendable (Snapshot, UInt32) -> Element)
    }

    let storage: Storage
    /// How the collections of a result were asked for; nil for other results.
    let collectionQuery: CollectionQuery?

    /// Takes elements in their order. Constant for an array.
    public init(_ elements: some Sequence<Element>) {
        storage = .elements(Array(elements))
        collectionQuery = nil
    }

    init(_ elements: [Element], query: CollectionQuery) {
        storage = .elements(elements)
        collectionQuery = query
    }

    public var startIndex: Int { 0 }

    public var endIndex: Int {
        switch storage {
        case .elements(let elements): elements.count
        case .rows(let rows, _): rows.rows.count
        }
    }

    public subscript(position: Int) -> Element {
        switch storage {
        case .elements(let elements): elements[position]
        case .rows(let rows, let make): make(rows.snapshot, rows.rows[position])
        }
    }
}

extension FetchResult {
    public var firstObject: Element? { first }

    public var lastObject: Element? { last }

    public func object(at index: Int) -> Element { self[index] }

    /// The elements at some indexes, in ascending order.
    public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

    /// Calls `body` for each element until it sets its last argument (row 59).
    public func enumerateObjects(reversed: Bool = false, _ body: (Element, Int, inout Bool) throws -> Void) rethrows {
        var stops = false
        for place in 0..<count {
            let index = reversed ? count - 1 - place : place
            try body(self[index], index, &stops)
            if stops { return }
        }
    }

    public func enumerateObjects(at indexes: IndexSet, _ body: (Element, Int, inout Bool) throws -> Void) rethrows {
        var stops = false
        for index in indexes {
            try body(self[index], index, &stops)
            if stops { return }
        }
    }
}

extension FetchResult: Equatable where Element: Equatable {
    public static func == (one: FetchResult, other: FetchResult) -> Bool {
        if case .rows(let first, _) = one.storage, case .rows(let second, _) = other.storage,
            first.library === second.library, first.snapshot.numbering == second.snapshot.numbering,
            first.rows == second.rows
        {
            return true
        }
        return one.elementsEqual(other)
    }
}
