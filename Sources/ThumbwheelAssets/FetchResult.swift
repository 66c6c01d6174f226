/// What a fetch found, in order: it never changes, whatever becomes of the library (rows 57 and 58).
public struct FetchResult<Element: Sendable>: RandomAccessCollection, Sendable {
    private let elements: [Element]

    /// Takes elements in their order. Constant for an array.
    public init(_ elements: some Sequence<Element>) {
        self.elements = Array(elements)
    }

    public var startIndex: Int { 0 }

    public var endIndex: Int { elements.count }

    public subscript(position: Int) -> Element { elements[position] }
}

extension FetchResult: Equatable where Element: Equatable {}

extension FetchResult<Asset> {
    /// How many assets are of a kind (row 60). Linear in their number.
    public func countOfAssets(with mediaType: MediaType) -> Int {
        count { $0.mediaType == mediaType }
    }
}
