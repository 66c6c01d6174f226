import Foundation

/// The elements that a fetch found, in order. A result never changes, even if the library changes; see
/// <doc:Semantics#Fetch-results>.
///
/// A result of assets stores four bytes for each asset. The `Asset` is made each time the element is read, and shows
/// the state at the time of the fetch.
public struct FetchResult<Element: Sendable>: RandomAccessCollection, Sendable {
    enum Storage: Sendable {
        case elements([Element])
        case rows(AssetRows, make: @Sendable (Snapshot, UInt32) -> Element)
    }

    let storage: Storage
    /// The query of a fetch of collections; nil for other results.
    let collectionQuery: CollectionQuery?

    /// Makes a result with these elements, in their order. For an array, this takes constant time.
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
    /// The first element; nil if there is none.
    public var firstObject: Element? { first }

    /// The last element; nil if there is none.
    public var lastObject: Element? { last }

    /// Returns the element at a position. The position must exist.
    public func object(at index: Int) -> Element { self[index] }

    /// Returns the elements at some indexes, in ascending order of the indexes.
    public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

    /// Calls `body` for each element and its index, until `body` sets its last argument to true.
    public func enumerateObjects(reversed: Bool = false, _ body: (Element, Int, inout Bool) throws -> Void) rethrows {
        var stops = false
        for place in 0..<count {
            let index = reversed ? count - 1 - place : place
            try body(self[index], index, &stops)
            if stops { return }
        }
    }

    /// Calls `body` for the elements at some indexes, in ascending order of the indexes, until `body` sets its last
    /// argument to true.
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
