#if canImport(CryptoKit)
import CryptoKit
import Foundation
#else
import CCrypto
#endif

/// The secret of a service, from which all its keys are derived. Servers that share a secret understand one another's
/// addresses.
public struct ServiceSecret: Sendable {
    private let bytes: [UInt8]

    /// Makes a secret.
    ///
    /// - Parameter bytes: At least 16 bytes that nobody can guess.
    ///   A shorter one is a programming error: anybody could sign addresses with a guess.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count >= 16, "a secret of fewer than 16 bytes")
        self.init(key: bytes)
    }

    init(key: [UInt8]) {
        bytes = key
    }

    /// Returns a new random secret of 32 bytes.
    public static func random() -> ServiceSecret {
        ServiceSecret((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Returns the HMAC of a text (RFC 2104) with SHA-256, in 32 bytes.
    func code(of text: String) -> [UInt8] {
        let text = Array(text.utf8)
        #if canImport(CryptoKit)
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: bytes)))
        #else
        return [UInt8](unsafeUninitializedCapacity: 32) { code, count in
            var length: UInt32 = 0
            let isDone =
                HMAC(EVP_sha256(), bytes, Int32(bytes.count), text, text.count, code.baseAddress, &length) != nil
            precondition(isDone && length == 32, "libcrypto without HMAC of SHA-256")
            count = 32
        }
        #endif
    }

    /// Returns the secret for one purpose. Purposes cannot be told from one another's values.
    func derived(for purpose: String) -> ServiceSecret { ServiceSecret(key: code(of: "thumbwheel " + purpose)) }

    /// The first 16 bytes of the secret, as the key of a cipher.
    var cipherKey: [UInt8] { Array(bytes.prefix(16)) }

    /// Compares two codes in a time that depends on their lengths alone, so that nobody finds a code byte by byte.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }
}
