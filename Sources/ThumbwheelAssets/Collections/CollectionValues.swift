/// The values of a collection's properties, looked up by key.
struct CollectionValues {
    let item: CollectionItem

    subscript(key: CollectionKey) -> Literal {
        switch key {
        case .localIdentifier: .text(item.localIdentifier)
        case .localizedTitle: item.localizedTitle.map(Literal.text) ?? .absent
        case .startDate: Literal(item.startDate as Any) ?? .absent
        case .endDate: Literal(item.endDate as Any) ?? .absent
        case .estimatedAssetCount: item.album?.estimatedAssetCount.map { .integer(Int64($0)) } ?? .absent
        }
    }
}
