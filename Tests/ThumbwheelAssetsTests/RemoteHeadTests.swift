import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

@Suite("Heads that come over a network")
struct RemoteHeadTests {
    private let library = PhotoLibrary()
    private let recipe = AdjustmentData(formatIdentifier: "a", formatVersion: "1", data: [1])

    @Test("transactions commit while the head of a remote photograph is on its way")
    func otherTransactions() async throws {
        let provider = StepwiseProvider(TinyImages.png(9, 5), requiresNetwork: true, isSuspended: true)
        async let reading = AssetResource.provider(provider).readingHead()
        await provider.waitForHeldReads()
        let other = try await library.performChanges { try $0.createAsset(from: [.bytes(TinyImages.png(1, 1))]) }
        #expect(library.fetchAssets().map(\.identifier) == [other.identifier])
        provider.resume()
        let resource = try await reading
        let readCount = provider.readCount
        let asset = try await library.performChanges { try $0.createAsset(from: [resource]) }
        #expect(library.fetchAssets().last?.identifier == asset.identifier)
        #expect(library.fetchAssets().last?.pixelSize == PixelSize(width: 9, height: 5))
        #expect(library.fetchAssets().last?.fileSize == TinyImages.png(9, 5).count)
        #expect(provider.readCount == readCount)
    }

    @Test("a transaction reads nothing of a resource that needs a network, and is refused")
    func refusals() async throws {
        let provider = StepwiseProvider(TinyImages.png(9, 5), named: "cloud", requiresNetwork: true)
        let remote = AssetResource.provider(provider)
        let good = try await library.performChanges { try $0.createAsset(from: [.bytes(TinyImages.png(1, 1))]) }
        let refusal = ChangeError(.networkAccessRequired(provider: "cloud"))
        #expect(refusal.code == 3164)
        await #expect(throws: refusal) { try await library.performChanges { try $0.createAsset(from: [remote]) } }
        await #expect(throws: refusal) {
            try await library.performChanges { try $0.setAdjusted(good, rendering: remote, adjustmentData: recipe) }
        }
        var output = ContentEditingOutput(placeholderForCreatedAsset: good)
        output.adjustmentData = recipe
        output.renderedContent = remote.source
        let unread = output
        await #expect(throws: refusal) {
            try await library.performChanges { try $0.edit(good) { $0.contentEditingOutput = unread } }
        }
        #expect(provider.readCount == 0)
        try await output.readRenderedContent()
        let read = output
        try await library.performChanges { try $0.edit(good) { $0.contentEditingOutput = read } }
        #expect(library.fetchAssets().last?.pixelSize == PixelSize(width: 9, height: 5))
    }

    @Test("a head that was read does not count for another source, and the asset does not keep it")
    func otherSource() async throws {
        let first = StepwiseProvider(TinyImages.png(9, 5), named: "first", requiresNetwork: true)
        let second = StepwiseProvider(TinyImages.png(3, 4), named: "second", requiresNetwork: true)
        let read = try await AssetResource.provider(first).readingHead()
        var exchanged = read
        exchanged.source = .provider(second)
        let resource = exchanged
        await #expect(throws: ChangeError(.networkAccessRequired(provider: "second"))) {
            try await library.performChanges { try $0.createAsset(from: [resource]) }
        }
        #expect(read.reading != nil && resource.reading == nil && read.withoutReading.reading == nil)
        #expect(read.withoutReading.byteCount == nil)
    }

    @Test("bytes that are not of the stated type are refused when their head is read")
    func wrongType() async throws {
        let provider = StepwiseProvider(TinyImages.png(9, 5), requiresNetwork: true)
        await #expect(throws: ChangeError(.wrongContentType(stated: .jpeg, found: .png))) {
            try await AssetResource(source: .provider(provider), contentType: .jpeg).readingHead()
        }
        await #expect(throws: ChangeError(.invalidResource(.unknownType))) {
            try await AssetResource(type: .video, source: .provider(provider)).readingHead()
        }
    }
}
