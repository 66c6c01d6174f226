import TestSupport
import Testing
import Thumbwheel

/// A use of former names that the compiler does not warn of, because it is called through this protocol.
private protocol FormerNames {
    associatedtype Outcome
    func use() async throws -> Outcome
}

private struct Types: FormerNames {
    @available(*, deprecated) func use() -> [Bool] {
        [
            MediaType.self == AssetMediaType.self, MediaSubtypes.self == AssetMediaSubtype.self,
            PlaybackStyle.self == AssetPlaybackStyle.self, BurstSelectionTypes.self == AssetBurstSelectionType.self,
            AssetSourceTypes.self == AssetSourceType.self, AssetResource.Kind.self == AssetResourceType.self,
            ContentMode.fit == .aspectFit, ContentMode.fill == .aspectFill,
            LibraryTransaction.supportsResourceKinds([.photo]) && !LibraryTransaction.supportsResourceKinds([.audio]),
        ]
    }
}

private struct Resources: FormerNames {
    @available(*, deprecated) func use() -> [AssetResource] {
        var resource = AssetResource(
            kind: .pairedVideo, source: .bytes([1]), originalFilename: "a.mov", contentType: .quickTime)
        let first = resource
        if resource.kind == .pairedVideo { resource.kind = .video }
        return [first, resource]
    }
}

private struct Managers: FormerNames {
    @available(*, deprecated) func use() throws -> Int {
        try ImageManager(validating: ImageManager.Configuration { $0.workerCount = 0 }).configuration.workerCount
    }
}

private struct Options: FormerNames {
    @available(*, deprecated) func use() -> [Bool] {
        var options = ImageRequestOptions()
        let before = options.allowsSecondaryDegradedImage
        options.allowsSecondaryDegradedImage = true
        return [before, options.allowSecondaryDegradedImage, options.allowsSecondaryDegradedImage]
    }
}

private struct History: FormerNames {
    let library: PhotoLibrary
    let token: ChangeToken

    @available(*, deprecated) func use() throws -> [ChangeToken] {
        try library.persistentChanges(since: token).map(\.token)
    }
}

private struct DataRequest: FormerNames {
    @available(*, deprecated) func use() async -> ImageData? {
        let asset = Asset(
            identifier: .random(), head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 1, height: 1)),
            resource: .bytes([1, 2, 3]), fileSize: 3, originalFilename: "a.jpg")
        let manager = ImageManager.undisturbed()
        return await withCheckedContinuation { continuation in
            manager.requestImageData(for: asset) { result in
                if case .final(let data, _) = result {
                    continuation.resume(returning: data)
                } else {
                    continuation.resume(returning: nil)
                }
            }
        }
    }
}

@Suite("Names of the version before, which are kept for one version") struct DeprecatedNamesTests {
    private func use<Names: FormerNames>(_ names: Names) async throws -> Names.Outcome { try await names.use() }

    @Test("types and constants are the present ones")
    func types() async throws {
        let outcome = try await use(Types())
        #expect(outcome.count == 9 && outcome.allSatisfy(\.self))
    }

    @Test("a resource's kind is its type")
    func resources() async throws {
        let resources = try await use(Resources())
        #expect(resources.map(\.type) == [.pairedVideo, .video] && resources[0].originalFilename == "a.mov")
        #expect(resources[0].contentType == .quickTime && resources[0].source == .bytes([1]))
    }

    @Test("a validating initialiser is the present one")
    func managers() async {
        await #expect(throws: ImageManager.ConfigurationError.noWorkers(0)) { try await use(Managers()) }
    }

    @Test("the option of a second degraded image is the present one")
    func options() async throws {
        #expect(try await use(Options()) == [false, true, true])
    }

    @Test("changes since a token are the present ones")
    func history() async throws {
        let library = PhotoLibrary()
        let token = library.currentChangeToken
        try await library.performChanges { try $0.createAlbum(title: "album") }
        #expect(try await use(History(library: library, token: token)) == [library.currentChangeToken])
    }

    @Test("a request for data is one for data and orientation")
    func data() async throws {
        let data = try #require(try await use(DataRequest()))
        #expect(data.bytes == [1, 2, 3] && data.contentType == .jpeg)
    }
}
