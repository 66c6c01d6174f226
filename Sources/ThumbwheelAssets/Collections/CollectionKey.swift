import Foundation

/// A property of collections that a predicate or a sort descriptor may name (Semantics.md, "Predicates and sort keys").
enum CollectionKey: String, CaseIterable, FetchKey {
    case localIdentifier, localizedTitle, startDate, endDate, estimatedAssetCount

    static func named(_ name: String) -> CollectionKey? {
        switch name {
        case "SELF": .localIdentifier
        case "title": .localizedTitle
        default: CollectionKey(rawValue: name)
        }
    }

    static func key(for keyPath: AnyKeyPath) -> CollectionKey? { KeyPathNames.collections.keys[keyPath] }

    static func unsupportedKeyName(for keyPath: AnyKeyPath) -> String? { KeyPathNames.collections.unsupported[keyPath] }

    var kind: FetchKeyKind {
        switch self {
        case .localIdentifier: .identifier
        case .localizedTitle: .text
        case .startDate, .endDate: .date
        case .estimatedAssetCount: .integer
        }
    }
}

extension KeyPathNames<CollectionKey> {
    static let collections = KeyPathNames(
        keys: [
            \AssetCollection.localIdentifier: .localIdentifier, \AssetCollection.identifier: .localIdentifier,
            \AssetCollection.localizedTitle: .localizedTitle, \AssetCollection.startDate: .startDate,
            \AssetCollection.endDate: .endDate, \AssetCollection.estimatedAssetCount: .estimatedAssetCount,
        ],
        unsupported: [
            \AssetCollection.assetCollectionType: "assetCollectionType",
            \AssetCollection.assetCollectionSubtype: "assetCollectionSubtype",
            \AssetCollection.approximateLocation: "approximateLocation",
        ])
}
