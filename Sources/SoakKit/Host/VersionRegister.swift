import Thumbwheel

/// The pictures that versions were seen to name; of those seen first, none any more, so that the register stays small.
struct VersionRegister {
    private struct Name: Hashable {
        let asset: Int
        let version: PictureVersion
    }

    private static let limit = 4096

    private var pictures: [Name: SoakPicture] = [:]
    private var order: [Name] = []
    private var next = 0

    init() {
        pictures.reserveCapacity(Self.limit)
        order.reserveCapacity(Self.limit)
    }

    /// - Throws: where the version has named another picture of the asset.
    mutating func note(_ version: PictureVersion, of asset: Int, _ picture: SoakPicture) throws(SoakFailure) {
        let name = Name(asset: asset, version: version)
        if let known = pictures[name] {
            guard known != picture else { return }
            throw SoakFailure(
                .version, expected: "asset \(asset), \(version): picture \(known.number)",
                seen: "picture \(picture.number)")
        }
        pictures[name] = picture
        if order.count < Self.limit {
            order.append(name)
        } else {
            pictures[order[next]] = nil
            order[next] = name
            next = (next + 1) % Self.limit
        }
    }
}
