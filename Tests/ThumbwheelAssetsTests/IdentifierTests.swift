import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

@Suite struct IdentifierTests {
    @Test("a name's digest is the first half of its SHA-256")
    func digest() {
        // The examples of FIPS 180-2.
        #expect(NameDigest("abc").value == 0xBA78_16BF_8F01_CFEA_4141_40DE_5DAE_2223)
        #expect(NameDigest("").value == 0xE3B0_C442_98FC_1C14_9AFB_F4C8_996F_B924)
        #expect(NameDigest("a", Array("bc".utf8)) != NameDigest("ab", Array("c".utf8)))
    }

    @Test("identifiers whose words agree when mixed by a fixed function still have different hashes")
    func hashes() {
        let identifiers = (0..<1000).map { number in
            let high = UInt64(number)
            return AssetIdentifier(high: high, low: 0x1234_5678_9ABC_DEF0 ^ high &* 0x9E37_79B9_7F4A_7C15)
        }
        #expect(Set(identifiers.map(\.hashValue)).count > 990)
    }

    private func former(_ filename: String, _ bytes: [UInt8]) -> AssetIdentifier {
        var digest = FNV1aDigest(filename + "\0")
        digest.combine(bytes)
        return AssetIdentifier(digest)
    }

    @Test("bytes added under a former identifier give the existing asset")
    func formerIdentifier() throws {
        let (library, bytes) = (PhotoLibrary(), TinyImages.png(4, 3))
        library.add([
            try Asset(reading: .bytes(bytes), identifier: former("a.png", bytes), originalFilename: "a.png")
        ])
        #expect(try library.addAsset(bytes: bytes, filename: "a.png").identifier == former("a.png", bytes))
        #expect(library.countOfAssets() == 1)
    }

    @Test("an asset under the former identifier of other bytes does not keep those bytes out")
    func forged() throws {
        let (library, bytes) = (PhotoLibrary(), TinyImages.png(4, 3))
        // Simulates a second preimage, which takes a second to find for the former digest.
        library.add([
            try Asset(
                reading: .bytes(TinyImages.png(9, 9)), identifier: former("a.png", bytes), originalFilename: "a.png")
        ])
        let own = try library.addAsset(bytes: bytes, filename: "a.png")
        #expect(own.pixelWidth == 4 && library.countOfAssets() == 2)
        #expect(try library.addAsset(bytes: bytes, filename: "a.png") == own)
    }

    @Test("a library that was imported under former identifiers keeps them")
    func formerImport() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let path = try FileStatus.canonicalPath(folder.path) + "/a.png"
        let library = PhotoLibrary()
        let identifier = AssetIdentifier(FNV1aDigest("imported/a.png"))
        let asset = try Asset(reading: .file(path: path), identifier: identifier, originalFilename: "a.png")
        await library.add([asset])
        try folder.write("a.png", TinyImages.png(5, 3) + [0])
        let report = try await library.importFolder(at: folder.path)
        #expect(report.changed.map(\.identifier) == [identifier] && report.added.isEmpty)
    }

    @Test("a policy that refuses a photograph says so")
    func refused() throws {
        struct Refusal: AccessPolicy {
            var access: LibraryAccess { .full }

            func allows(_ change: ProposedChange) -> Bool { false }
        }
        let library = PhotoLibrary()
        let view = library.view(for: Refusal())
        #expect(throws: ChangeError(.accessUserDenied)) {
            try view.addAsset(bytes: TinyImages.png(4, 3), filename: "a.png")
        }
        #expect(library.countOfAssets() == 0)
    }

    @Test("a photograph in Recently Deleted is not added a second time")
    func recentlyDeleted() throws {
        let (library, bytes) = (PhotoLibrary(), TinyImages.png(4, 3))
        let asset = try library.addAsset(bytes: bytes, filename: "a.png")
        try library.performChangesAndWait { try $0.deleteAssets([asset]) }
        #expect(try library.addAsset(bytes: bytes, filename: "a.png").isRecentlyDeleted)
    }
}
