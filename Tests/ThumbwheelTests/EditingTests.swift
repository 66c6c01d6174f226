import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

@Suite("Edits of pictures", .endsHangs) struct EditingTests {
    private let manager = ImageManager.undisturbed()
    private let library = PhotoLibrary()
    private let size = PixelSize(width: 16, height: 16)

    private static func bitmap(_ level: UInt8) -> Bitmap {
        Bitmap(size: PixelSize(width: 32, height: 32), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = level }
        }
    }

    private static func level(_ bitmap: Bitmap) -> UInt8 { bitmap.withUnsafeBytes { $0[0] } }

    private static func recipe(_ name: String) -> AdjustmentData {
        AdjustmentData(formatIdentifier: "org.example." + name, formatVersion: "1", data: Array(name.utf8))
    }

    /// Options of an editor that can go on with edits of its own.
    private static func options(_ name: String) -> ContentEditingInputRequestOptions {
        ContentEditingInputRequestOptions {
            $0.canHandleAdjustmentData = { $0.formatIdentifier == "org.example." + name }
        }
    }

    private func created(_ level: UInt8) async throws -> AssetIdentifier {
        try await library.performChanges { try $0.createAsset(from: Self.bitmap(level), as: .png) }.identifier
    }

    private func asset(_ identifier: AssetIdentifier) throws -> Asset {
        try #require(library.asset(withIdentifier: identifier))
    }

    private func input(_ identifier: AssetIdentifier, for editor: String = "") async throws -> ContentEditingInput {
        try await manager.contentEditingInput(for: try asset(identifier), options: Self.options(editor))
    }

    private func commit(_ input: ContentEditingInput, _ editor: String, _ level: UInt8) async throws {
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = Self.recipe(editor)
        try output.render(Self.bitmap(level), as: .png)
        try await library.performChanges { [output] changes in
            try changes.edit(input.asset) { $0.contentEditingOutput = output }
        }
    }

    private func shown(_ identifier: AssetIdentifier, _ version: ImageVersion = .current) async throws -> UInt8 {
        Self.level(
            try await manager.image(
                for: try asset(identifier), targetSize: size, options: ImageRequestOptions { $0.version = version }))
    }

    @Test("the input of a photograph without edits is the photograph")
    func unedited() async throws {
        let identifier = try await created(10)
        let input = try await input(identifier, for: "a")
        #expect(Self.level(input.displaySizeImage) == 10 && input.displaySizeImage.size.width == 32)
        #expect(input.adjustmentData == nil && input.fullSizeImage.type == .photo && input.contentType == .png)
        #expect(input.fullSizeImageOrientation == .up && input.mediaType == .image)
        #expect(try input.fullSizeImage.open().bytes() == Self.bitmap(10).encoded(as: .png))
    }

    @Test("an editor that can read the recipe gets the base and the recipe; any other gets the picture with its edits")
    func versions() async throws {
        let identifier = try await created(10)
        try await commit(try await input(identifier), "a", 60)
        #expect(try await shown(identifier) == 60)
        let capable = try await input(identifier, for: "a")
        #expect(Self.level(capable.displaySizeImage) == 10 && capable.adjustmentData == Self.recipe("a"))
        let other = try await input(identifier, for: "b")
        #expect(Self.level(other.displaySizeImage) == 60 && other.adjustmentData == nil)
        #expect(other.fullSizeImage.type == .fullSizePhoto)

        // Another editor's edit rests on the first editor's picture.
        try await commit(other, "b", 110)
        let again = try await input(identifier, for: "b")
        #expect(Self.level(again.displaySizeImage) == 60 && again.adjustmentData == Self.recipe("b"))
        #expect(again.fullSizeImage.type == .adjustmentBasePhoto)
        // Its next edit keeps that base.
        try await commit(again, "b", 160)
        #expect(Self.level(try await input(identifier, for: "b").displaySizeImage) == 60)
        #expect(
            try asset(identifier).resources.map(\.type)
                == [.photo, .adjustmentBasePhoto, .fullSizePhoto, .adjustmentData])

        try await library.performChanges { try $0.edit(identifier) { $0.revertAssetContentToOriginal() } }
        #expect(try asset(identifier).resources.map(\.type) == [.photo])
        #expect(try await shown(identifier) == 10)
    }

    @Test("bases and recipes are saved with the library")
    func saved() async throws {
        let folder = try ScratchFolder()
        let identifier = try await created(10)
        try await commit(try await input(identifier), "a", 60)
        try await commit(try await input(identifier, for: "b"), "b", 110)
        try await library.save(to: folder.path + "/library")
        let loaded = try await PhotoLibrary(loading: folder.path + "/library")
        let input = try await manager.contentEditingInput(
            for: try #require(loaded.asset(withIdentifier: identifier)), options: Self.options("b"))
        #expect(Self.level(input.displaySizeImage) == 60 && input.adjustmentData == Self.recipe("b"))
    }

    @Test("a cached picture is never delivered for the version after it, and an old asset keeps its own")
    func neverOld() async throws {
        let window = CachingImageManager(manager)
        let identifier = try await created(10)
        var former: [(asset: Asset, level: UInt8)] = []
        let levels: [UInt8] = [60, 110, 160, 210]
        for (number, level) in levels.enumerated() {
            let before = try asset(identifier)
            former.append((before, try await shown(identifier)))
            window.startCachingImages(for: [before], targetSize: size)
            let editor = number % 2 == 0 ? "a" : "b"
            try await commit(try await input(identifier, for: editor), editor, level)
            #expect(try await shown(identifier) == level)
            #expect(try await shown(identifier, .unadjusted) == 10)
            #expect(try asset(identifier).pictureVersion() != before.pictureVersion())
            window.startCachingImages(for: [try asset(identifier)], targetSize: size)
            #expect(try await shown(identifier) == level)
        }
        try await library.performChanges { try $0.edit(identifier) { $0.revertAssetContentToOriginal() } }
        #expect(try await shown(identifier) == 10)
        for (asset, level) in former {
            #expect(Self.level(try await manager.image(for: asset, targetSize: size)) == level)
        }
    }

    @Test("an output without recipe or rendering, of another asset, or of a video is refused, and nothing happens")
    func refused() async throws {
        let (first, second) = (try await created(10), try await created(20))
        let input = try await input(first)
        let version = try asset(first).contentVersion
        var whole = ContentEditingOutput(contentEditingInput: input)
        whole.adjustmentData = Self.recipe("a")
        try whole.render(Self.bitmap(60))
        var withoutRecipe = whole
        withoutRecipe.adjustmentData = nil
        var withoutRendering = whole
        withoutRendering.renderedContent = nil
        var damaged = whole
        damaged.renderedContent = .bytes([1, 2, 3])
        let bad: [(AssetIdentifier, ContentEditingOutput, ChangeError.Reason)] = [
            (first, withoutRecipe, .invalidContentEditingOutput(first)),
            (first, withoutRendering, .invalidContentEditingOutput(first)),
            (second, whole, .invalidContentEditingOutput(second)), (first, damaged, .invalidResource(.unknownType)),
        ]
        for (identifier, output, reason) in bad {
            await #expect(throws: ChangeError(reason)) {
                try await library.performChanges { changes in
                    try changes.edit(identifier) { edits in
                        edits.isFavorite = true
                        edits.contentEditingOutput = output
                    }
                }
            }
        }
        await #expect(throws: ChangeError(.notAdjusted(first))) {
            try await library.performChanges { try $0.edit(first) { $0.revertAssetContentToOriginal() } }
        }
        #expect(try asset(first).contentVersion == version && !asset(first).isFavorite)
        await #expect(throws: ImageRequestError.unsupportedMedia) {
            try await manager.contentEditingInput(for: Pictures.asset(1, mediaType: .video))
        }
    }

    @Test("the same transaction creates an asset and edits it")
    func createdAndEdited() async throws {
        let placeholder = try await library.performChanges { changes in
            let placeholder = try changes.createAsset(from: Self.bitmap(10), as: .png)
            var output = ContentEditingOutput(placeholderForCreatedAsset: placeholder)
            output.adjustmentData = Self.recipe("a")
            output.renderedContent = .bytes(try Self.bitmap(60).encoded(as: .png))
            try changes.edit(placeholder) { $0.contentEditingOutput = output }
            return placeholder
        }
        #expect(try await shown(placeholder.identifier) == 60)
        #expect(Self.level(try await input(placeholder.identifier, for: "a").displaySizeImage) == 10)
    }

    @Test("a request without leave to use the network, or that is cancelled, completes once with its reason")
    func ends() async throws {
        let identifier = try await created(10)
        let provider = StepwiseProvider(try Self.bitmap(60).encoded(as: .png), requiresNetwork: true)
        let rendering = try await AssetResource.provider(provider).readingHead()
        try await library.performChanges { changes in
            try changes.setAdjusted(identifier, rendering: rendering, adjustmentData: Self.recipe("a"))
        }
        await #expect(throws: ImageRequestError.networkAccessRequired) { try await input(identifier) }
        #expect(Self.level(try await input(identifier, for: "a").displaySizeImage) == 10, "the base is at hand")
        let token = CancellationToken()
        token.cancel()
        var options = Self.options("a")
        options.cancellationToken = token
        await #expect(throws: ImageRequestError.cancelled) {
            try await manager.contentEditingInput(for: try asset(identifier), options: options)
        }
        #expect(token.handlerCount == 0)
    }
}
