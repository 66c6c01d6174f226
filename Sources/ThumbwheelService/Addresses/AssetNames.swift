import Thumbwheel
import ThumbwheelCore

/// The names that assets have in one tenant's addresses: their identifiers, encrypted under the tenant's own key.
///
/// A name tells nothing of the identifier, and the name that one tenant has for an asset means a random identifier, and so
/// nothing, to another. A server needs no table to read names, and all servers with the same secret give the same ones.
struct AssetNames: Sendable {
    /// The number of characters of a name.
    static let length = 22
    private let cipher: BlockCipher
    private let salt: String

    /// - Parameter secret: The tenant's secret.
    init(_ secret: ServiceSecret) {
        cipher = BlockCipher(key: secret.derived(for: "names").cipherKey)
        salt = Base64URL.text(secret.derived(for: "versions").cipherKey)
    }

    /// Returns the bytes of the names of assets, 16 bytes each.
    func bytes(of identifiers: [AssetIdentifier]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(identifiers.count * 16)
        for identifier in identifiers {
            for word in [identifier.high, identifier.low] { withUnsafeBytes(of: word.bigEndian) { plain += $0 } }
        }
        return cipher.encrypted(plain)
    }

    func name(of identifier: AssetIdentifier) -> String { Base64URL.text(bytes(of: [identifier])) }

    /// Returns the identifier that a name stands for; nil for what is no name.
    func identifier(_ name: some StringProtocol) -> AssetIdentifier? {
        guard name.utf8.count == Self.length, let block = Base64URL.bytes(name), block.count == 16 else { return nil }
        let plain = cipher.decrypted(block)
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return AssetIdentifier(high: word(plain[..<8]), low: word(plain[8...]))
    }

    /// Returns the version of an asset's picture in addresses: 48 bits that change with the picture's bytes. They are equal on all
    /// servers that see the same files, and differ from tenant to tenant.
    func versionBytes(of asset: Asset) -> [UInt8] {
        let content = asset.contentName(of: .current, isShared: true) ?? "\(asset.contentVersion)|\(asset.fileSize)"
        let hash = XXHash64.digest(Array((salt + content).utf8))
        return (0..<6).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 * 8)) }
    }

    func version(of asset: Asset) -> String { Base64URL.text(versionBytes(of: asset)) }
}
