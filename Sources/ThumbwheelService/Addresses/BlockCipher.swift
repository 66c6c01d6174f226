#if canImport(CCrypto)
import CCrypto
#else
import CommonCrypto
#endif

/// AES with keys of 128 bits (FIPS 197), on whole blocks that are independent of one another. That is right for identifiers,
/// which are all different, and for nothing else.
struct BlockCipher: Sendable {
    static let blockByteCount = 16
    private let key: [UInt8]

    /// - Parameter key: 16 bytes.
    init(key: [UInt8]) {
        precondition(key.count == 16, "a key of 16 bytes")
        self.key = key
    }

    func encrypted(_ blocks: [UInt8]) -> [UInt8] { run(blocks, encrypts: true) }

    func decrypted(_ blocks: [UInt8]) -> [UInt8] { run(blocks, encrypts: false) }

    private func run(_ blocks: [UInt8], encrypts: Bool) -> [UInt8] {
        precondition(blocks.count % Self.blockByteCount == 0, "whole blocks")
        guard !blocks.isEmpty else { return [] }
        return [UInt8](unsafeUninitializedCapacity: blocks.count) { result, count in
            #if canImport(CCrypto)
            let context = EVP_CIPHER_CTX_new()
            defer { EVP_CIPHER_CTX_free(context) }
            var length: Int32 = 0
            let isDone =
                EVP_CipherInit_ex(context, EVP_aes_128_ecb(), nil, key, nil, encrypts ? 1 : 0) == 1
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
                && EVP_CipherUpdate(context, result.baseAddress, &length, blocks, Int32(blocks.count)) == 1
            precondition(isDone && Int(length) == blocks.count, "libcrypto without AES")
            #else
            var length = 0
            let status = CCCrypt(
                CCOperation(encrypts ? kCCEncrypt : kCCDecrypt), CCAlgorithm(kCCAlgorithmAES),
                CCOptions(kCCOptionECBMode), key, key.count, nil, blocks, blocks.count, result.baseAddress,
                result.count, &length)
            precondition(status == kCCSuccess && length == blocks.count, "CommonCrypto without AES")
            #endif
            count = blocks.count
        }
    }
}
