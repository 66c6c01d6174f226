extension AssetKey {
    static func key(for keyPath: AnyKeyPath) -> AssetKey? { KeyPathNames.assets.keys[keyPath] }

    static func nameOfUnusable(_ keyPath: AnyKeyPath) -> String? { KeyPathNames.assets.unusable[keyPath] }
}
