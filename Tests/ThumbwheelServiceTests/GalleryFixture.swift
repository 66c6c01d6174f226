import Foundation
import TestSupport
import Thumbwheel
import ThumbwheelService

/// A folder of generated photographs, the library of it, and a manager.
struct GalleryFixture {
    let folder: ScratchFolder
    let library: PhotoLibrary
    let manager: ImageManager

    /// - Parameters:
    ///   - count: The number of photographs, each of another size.
    ///   - renderer: The manager's renderer; nil for the real one.
    init(count: Int = 3, renderer: (any RenditionRenderer)? = nil) async throws {
        folder = try ScratchFolder()
        for number in 0..<count { try folder.write("photo-\(number).jpg", try Self.photograph(number)) }
        library = PhotoLibrary()
        try await library.importFolder(at: folder.path)
        let configuration = ImageManager.Configuration {
            $0.workerCount = 1
            $0.memoryBudget = 64 << 20
            $0.watchesMemory = false
            $0.refusesChangedFiles = true
            // Tests let a render wait for as long as a busy machine takes.
            $0.limits.duration = .seconds(86_400)
        }
        manager = ImageManager(configuration: configuration, renderer: renderer, recordsRenders: false)
    }

    static func photograph(_ number: Int) throws -> [UInt8] {
        let size = PixelSize(width: 400 + number * 10, height: 300)
        let bitmap = Bitmap(size: size, format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: (index + number * 31) / 7) }
        }
        return try bitmap.encoded(as: .jpeg(quality: 80))
    }

    /// A renderer's answer that holds a file of 400 × 300 pixels.
    static func image(_ file: [UInt8]) -> Result<PipelineImage, ImageRequestError> {
        let size = PixelSize(width: 400, height: 300)
        let data = ImageData(
            bytes: file, contentType: .jpeg, orientation: .up, pixelSize: size, entityTag: EntityTag(hashing: ["file"]))
        return .success(PipelineImage(.file(data), ImageFacts(pixelSize: size, byteCount: file.count)))
    }

    func handler(_ configure: (inout ServiceHandler.Configuration) -> Void = { _ in }) -> ServiceHandler {
        let configuration = ServiceHandler.Configuration {
            // A busy machine may take longer than the usual deadline.
            $0.deadline = nil
            $0.placeholderInterval = nil
            configure(&$0)
        }
        return ServiceHandler(library: library, manager: manager, configuration: configuration)
    }

    /// The addresses of all photographs, without size: `/a/NAME/VERSION`.
    func addresses(_ handler: ServiceHandler) async throws -> [String] {
        let response = await handler.response(to: ServiceRequest(target: "/api/grid"))
        return try GridReading(response.bytes).addresses
    }
}

extension ServiceResponse {
    /// The bytes of the body.
    var bytes: [UInt8] {
        switch body {
        case .none, .events, .stream: []
        case .bytes(let bytes): bytes
        case .source(let source, let range): (try? source.bytes(in: range)) ?? []
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The name of the error, read from the body, which must be one line of JSON with two texts.
    var errorName: String? {
        guard text.hasSuffix("\n"), text.filter({ $0 == "\n" }).count == 1,
            let object = try? JSONDecoder().decode([String: String].self, from: Data(bytes)), object.count == 2
        else { return nil }
        return object["error"]
    }
}
