import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

@Suite("Identifiers that are the same on every machine") struct CloudIdentifierTests {
    private let library = PhotoLibrary()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A source in memory that counts how often it is opened.
    private final class Provider: ResourceProvider {
        private let opened = Mutex(0)
        let requiresNetwork: Bool
        let identifier = "provider"

        init(requiresNetwork: Bool) {
            self.requiresNetwork = requiresNetwork
        }

        var openCount: Int { opened.withLock { $0 } }

        func open() throws(ByteSourceError) -> any ByteSource {
            opened.withLock { $0 += 1 }
            return MemoryByteSource(TinyImages.png(5, 5))
        }
    }

    private func identifier(_ name: String, in library: PhotoLibrary) async throws -> CloudIdentifier {
        let asset = try #require(library.fetchAssets().first { $0.originalFilename == name })
        let mappings = await library.cloudIdentifierMappings(forLocalIdentifiers: [asset.localIdentifier])
        return try #require(mappings[asset.localIdentifier]).get()
    }

    @Test("two libraries give the same bytes the same identifier, whatever the name, the edit or the date")
    func sameEverywhere() async throws {
        try folder.write("one/a.png", TinyImages.png(4, 3))
        try folder.write("two/other.png", TinyImages.png(4, 3))
        let other = PhotoLibrary()
        try await library.importFolder(at: folder.path + "/one")
        try await other.importFolder(at: folder.path + "/two")
        let here = try await identifier("a.png", in: library)
        #expect(try await identifier("other.png", in: other) == here)
        // The first half of the SHA-256 of these 57 bytes, and their number, from another program.
        #expect(here.stringValue.hasSuffix(":\(TinyImages.png(4, 3).count)"))
        let bytes = try await other.addAsset(bytes: TinyImages.png(4, 3), filename: "bytes")
        #expect(try await identifier("bytes", in: other) == here)
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [])
        try await other.performChanges {
            try $0.setAdjusted(bytes, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe)
        }
        #expect(try await identifier("bytes", in: other) == here)
        // Back again: one here, two there.
        let local = library.fetchAssets()[0].localIdentifier
        #expect(await library.localIdentifierMappings(for: [here]) == [here: .success(local)])
        #expect(
            await other.localIdentifierMappings(for: [here]) == [
                here: .failure(.multipleIdentifiersFound(other.fetchAssets().map(\.localIdentifier)))
            ])
    }

    @Test("a file of the same length with an older date is another original")
    func olderFile() async throws {
        try folder.write("a.png", TinyImages.png(4, 3))
        try await library.importFolder(at: folder.path)
        let first = try await identifier("a.png", in: library)
        try folder.write("a.png", TinyImages.png(4, 5))
        try #require(TinyImages.png(4, 3).count == TinyImages.png(4, 5).count)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: folder.path + "/a.png")
        let other = try ContentDigest(of: MemoryByteSource(TinyImages.png(4, 5)), token: CancellationToken())
        let second = try await identifier("a.png", in: library)
        #expect(second != first && second == CloudIdentifier(other, byteCount: TinyImages.png(4, 5).count))
    }

    @Test("a known digest of bytes is the identifier: the text is the first half of their SHA-256 and their number")
    func knownDigest() throws {
        let digest = try ContentDigest(of: MemoryByteSource(Array("abc".utf8)), token: CancellationToken())
        // FIPS 180-4's example.
        #expect(CloudIdentifier(digest, byteCount: 3).stringValue == "BA7816BF8F01CFEA414140DE5DAE2223:3")
        let long = [UInt8](repeating: 0x61, count: 1_000_000)
        let other = try ContentDigest(of: MemoryByteSource(long), token: CancellationToken())
        #expect(CloudIdentifier(other, byteCount: 1_000_000).stringValue == "CDC76E5C9914FB9281A1C7E284D73E67:1000000")
    }

    @Test("identifiers of nothing, of albums, of deleted assets and of those that a view may not see are not found")
    func notFound() async throws {
        struct Policy: AccessPolicy {
            let access: LibraryAccess
        }
        try folder.write("a.png", TinyImages.png(4, 3))
        try folder.write("b.png", TinyImages.png(4, 4))
        let assets = try await library.importFolder(at: folder.path).added
        let album = try await library.performChanges { try $0.createAlbum(title: "album") }
        let names = [album.localIdentifier, "nonsense", SampleAssets.identifier(1).localIdentifier]
        let mappings = await library.cloudIdentifierMappings(forLocalIdentifiers: names)
        #expect(mappings.count == 3)
        for name in names { #expect(mappings[name] == .failure(.identifierNotFound(name))) }
        let unknown = [
            "", ":", "nonsense", String(repeating: "0", count: 32) + ":57",
            "\(String(repeating: "F", count: 32)):99999999999999999999",
        ]
        let back = await library.localIdentifierMappings(for: unknown.map { CloudIdentifier(stringValue: $0) })
        for text in unknown {
            #expect(back[CloudIdentifier(stringValue: text)] == .failure(.identifierNotFound(text)))
        }
        let identifier = try await identifier("a.png", in: library)
        let view = library.view(for: Policy(access: .limited(to: [assets[1].identifier])))
        let local = assets[0].localIdentifier
        #expect(
            await view.cloudIdentifierMappings(forLocalIdentifiers: [local])[local]
                == .failure(.identifierNotFound(local)))
        #expect(
            await view.localIdentifierMappings(for: [identifier])[identifier]
                == .failure(.identifierNotFound(identifier.stringValue)))
        try await library.performChanges { try $0.deleteAssets([assets[0]]) }
        #expect(
            await library.localIdentifierMappings(for: [identifier])[identifier]
                == .failure(.identifierNotFound(identifier.stringValue)))
        #expect(CloudIdentifierError.identifierNotFound("").code == 3201)
        #expect(CloudIdentifierError.multipleIdentifiersFound([]).code == 3202)
    }

    @Test("originals elsewhere and originals that are gone are errors of their own")
    func unreadable() async throws {
        try folder.write("a.png", TinyImages.png(4, 3))
        let asset = try await library.importFolder(at: folder.path).added[0]
        let remote = SampleAssets.asset(7, resource: .provider(Provider(requiresNetwork: true)))
        await library.add([remote])
        try FileManager.default.removeItem(atPath: folder.path + "/a.png")
        let names = [asset.localIdentifier, remote.localIdentifier]
        let mappings = await library.cloudIdentifierMappings(forLocalIdentifiers: names)
        #expect(mappings[names[1]] == .failure(.networkAccessRequired(names[1])))
        guard case .failure(.unreadable(.notFound)) = mappings[names[0]] else {
            return #expect(Bool(false), "\(mappings)")
        }
    }

    @Test("a digest is kept as long as the file is unchanged, over a move and a save, and made anew afterwards")
    func kept() async throws {
        try folder.write("a.png", TinyImages.png(4, 3))
        try await library.importFolder(at: folder.path)
        let before = try await identifier("a.png", in: library)
        func kept(_ library: PhotoLibrary) -> ContentDigest? {
            let columns = library.snapshot.chunks[0].columns
            return columns.digests.digest(at: 0, original: columns.originalPicture(at: 0))
        }
        #expect(kept(library) != nil)
        try FileManager.default.moveItem(atPath: folder.path + "/a.png", toPath: folder.path + "/b.png")
        try await library.importFolder(at: folder.path)
        #expect(kept(library) != nil)
        #expect(kept(PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))) == kept(library))
        #expect(try await identifier("b.png", in: library) == before)
        // The file changes before an import learns of it, and then an import does.
        try folder.write("b.png", TinyImages.png(4, 9))
        let after = try await identifier("b.png", in: library)
        #expect(after != before && kept(library).map { CloudIdentifier($0, byteCount: 57) } != after)
        try await library.importFolder(at: folder.path)
        #expect(kept(library) == nil)
        #expect(try await identifier("b.png", in: library) == after && kept(library) != nil)
    }

    @Test("what is known is not read again")
    func readOnce() async throws {
        let provider = Provider(requiresNetwork: false)
        await library.add([SampleAssets.asset(3, resource: .provider(provider))])
        let first = try await identifier(library.fetchAssets()[0].originalFilename, in: library)
        #expect(provider.openCount == 1)
        #expect(first.byteCount == TinyImages.png(5, 5).count)
        // The asset's own length is that which the host has stated, so the digest of other bytes is not kept.
        try await library.performChanges {
            _ = try $0.createAsset(from: [.provider(provider)], originalFilename: "read")
        }
        let count = provider.openCount
        for _ in 0..<3 { #expect(try await identifier("read", in: library) == first) }
        #expect(provider.openCount == count + 1)
    }
}
