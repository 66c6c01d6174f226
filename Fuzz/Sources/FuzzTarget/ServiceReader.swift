import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelService

/// Requests to the handler of the service, written as text: method and target on the first line, fields on the next ones, and the body
/// behind an empty line. In it `@0` to `@2` stand for the first user's photographs as addresses of thumbnails name them, `@3` to `@5` for
/// the same as addresses of previews do, `@a` and `@b` for the tokens of two users, and `@s` for path and query of a signed address.
enum ServiceReader {
    private struct Service: Sendable {
        let handler: ServiceHandler
        let folder: String
        let words: [(word: String, value: String)]
    }

    // Made once, on the one thread of the driver.
    private static let service = make()

    static func read(_ bytes: [UInt8]) {
        var text = String(decoding: bytes, as: UTF8.self)
        for (word, value) in service.words { text = text.replacing(word, with: value) }
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines[0].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        var request = ServiceRequest(target: String(first.count == 2 ? first[1] : first[0]))
        if first.count == 2 { request.method = String(first[0]) }
        for line in lines.dropFirst().prefix(100) {
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            request.fields.add(String(field[0]), field.count == 2 ? field[1].trimmingCharacters(in: .whitespaces) : "")
        }
        if parts.count == 2 {
            let limit = service.handler.bodyByteLimit(of: request)
            request.body = Array(parts[1].utf8.prefix(limit + 1))
        }
        check(response(to: request), to: request)
    }

    /// Returns the response, and gives up every second one that is not there at once.
    private static func response(to request: ServiceRequest) -> ServiceResponse {
        switch service.handler.answer(to: request) {
        case .ready(let response): return response
        case .pending(let pending):
            if request.target.utf8.count % 2 == 1 { pending.cancel() }
            let isReady = DispatchSemaphore(value: 0)
            pending.whenReady { _ in isReady.signal() }
            isReady.wait()
            return pending.response!
        }
    }

    private static func check(_ response: ServiceResponse, to request: ServiceRequest) {
        precondition((200...599).contains(response.status), "the status \(response.status)")
        for field in response.fields.fields {
            let isPlain = (field.name + field.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            precondition(isPlain, "a field that ends the header: \(field)")
        }
        var body: [UInt8] = []
        switch response.body {
        case .none: break
        case .bytes(let bytes): body = bytes
        case .source(let source, let range): body = (try? source.bytes(in: range)) ?? []
        case .events(let stream):
            body = stream.take() ?? []
            stream.close()
        case .stream(let stream):
            while let bytes = stream.take() {
                body += bytes
                let isReadable = DispatchSemaphore(value: 0)
                stream.whenReadable { isReadable.signal() }
                isReadable.wait()
            }
        }
        guard response.status >= 400 else { return }
        let text = String(decoding: body, as: UTF8.self)
        precondition(!text.contains(service.folder), "a path of the host")
        let object = try? JSONDecoder().decode([String: String].self, from: Data(body))
        precondition(object?.count == 2 && text.hasSuffix("\n"), "an error that is not one line of JSON: \(text)")
    }

    private static func make() -> Service {
        let folder = FileManager.default.temporaryDirectory.appending(path: "thumbwheel-fuzz-\(getpid())").path
        let library = PhotoLibrary()
        let isReady = DispatchSemaphore(value: 0)
        Task.detached {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for number in 0..<3 {
                let bitmap = Bitmap(size: PixelSize(width: 60 + number, height: 40), format: .rgb) { pixels in
                    for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 5) }
                }
                let bytes = try bitmap.encoded(as: .jpeg(quality: 60))
                try Data(bytes).write(to: URL(filePath: "\(folder)/photo-\(number).jpg"))
            }
            try await library.importFolder(at: folder)
            isReady.signal()
        }
        isReady.wait()
        let configuration = ImageManager.Configuration {
            $0.workerCount = 1
            $0.memoryBudget = 16 << 20
            $0.watchesMemory = false
        }
        guard let manager = try? ImageManager(configuration: configuration) else { fatalError("no manager") }
        let (ann, bob) = ("token-of-ann-12345", "token-of-bob-12345")
        let secret = ServiceSecret(Array("a secret of the fuzzer".utf8))
        let handler = ServiceHandler(
            tenants: [
                ServiceTenant(name: "ann", tokens: [ann], library: library),
                ServiceTenant(
                    name: "bob", tokens: [bob], library: library, dailyByteLimit: 1 << 40, allowsEditing: false),
            ],
            manager: manager,
            configuration: ServiceHandler.Configuration {
                $0.secret = secret
                $0.roots = [folder]
                $0.traceHandler = { _ in }
            })
        // Each letter after the sign is one of the words, so none is part of another's value.
        var words = [("@a", ann), ("@b", bob)]
        let assets = Array(library.fetchAssets())
        let expiry = Date(timeIntervalSince1970: 4e9)
        for (number, asset) in assets.enumerated() {
            let size = PixelSize(width: 64, height: 64)
            let signed = handler.signedAddress(of: asset, size: size, tenant: "ann", until: expiry) ?? ""
            if number == 0 { words.append(("@s", signed)) }
            let path = signed.split(separator: "/").dropFirst().prefix(2).joined(separator: "/")
            words += [("@\(number)", path), ("@\(number + 3)", path.replacing("/", with: "."))]
        }
        return Service(handler: handler, folder: folder, words: words)
    }

    static func writeSeeds(to folder: String) {
        let ann = "\nauthorization: Bearer @a"
        let seeds = [
            "GET /a/@0/64x64.jpg?mode=fit\(ann)\naccept: image/webp,*/*;q=0.8\npriority: u=2, i",
            "GET /a/@1/128x64\(ann)\naccept: image/webp\nthumbwheel-distance: 3\nif-none-match: \"x\", W/\"y\"",
            "GET /a/@2/64x64.png?crop=0,0,0.5,1\(ann)\nif-match: *", "GET @s", "HEAD /a/@0/64x64.webp\(ann)",
            "GET /o/@0\(ann)\nrange: bytes=0-99\nif-range: \"o\"", "GET /o/@1\ncookie: x=y; thumbwheel=@b",
            "GET /api/albums?kind=moment\(ann)\naccept-encoding: gzip;q=0.5", "GET /api/events\(ann)",
            "GET /api/grid?album=&order=album\(ann)\naccept-encoding: gzip",
            "GET /api/previews?of=@3,@4,x.y\(ann)", "GET /?token=@a", "GET /healthz",
            "GET /metrics",
            "POST /api/favorite\(ann)\ncontent-type: application/json\n\n{\"asset\":\"@0\",\"favorite\":true}",
            "POST /api/trace\(ann)\ncontent-type: application/x-ndjson\n\n{\"thumbwheelTrace\":1}",
            "GET http://host/a/%2e%2e/..;x", "OPTIONS *",
        ]
        for (number, seed) in seeds.enumerated() {
            try? Data(seed.utf8).write(to: URL(filePath: "\(folder)/seed-\(number)"))
        }
    }
}
