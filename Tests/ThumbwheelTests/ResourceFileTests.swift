import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Resources written to files", .endsHangs) struct ResourceFileTests {
    private let manager = AssetResourceManager()
    private let folder: ScratchFolder
    private let contents = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7 | 1) }

    init() throws {
        folder = try ScratchFolder()
    }

    private var path: String { folder.path + "/copy.jpg" }
    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

    private func write(_ provider: StepwiseProvider) async throws {
        try await manager.writeData(for: .provider(provider), toFile: path)
    }

    @Test("a file gets all bytes, and its name only then")
    func whole() async throws {
        let provider = StepwiseProvider(contents, isSuspended: true)
        try folder.write("copy.jpg", [1, 2, 3])
        async let written: Void = write(provider)
        await provider.waitForHeldReads()
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        provider.resume()
        try await written
        #expect(FileManager.default.contents(atPath: path) == Data(contents) && names == ["copy.jpg"])
        try await manager.writeData(for: .bytes([]), toFile: path)
        #expect(FileManager.default.contents(atPath: path) == Data())
    }

    @Test("holes stay holes, inside a file and at its end")
    func holes() async throws {
        let sparse = contents + [UInt8](repeating: 0, count: 1 << 20) + contents + [UInt8](repeating: 0, count: 1 << 20)
        try await manager.writeData(for: .bytes(sparse), toFile: path)
        #expect(FileManager.default.contents(atPath: path) == Data(sparse))
        var status = stat()
        #expect(stat(path, &status) == 0 && Int(status.st_blocks) * 512 < sparse.count - (1 << 20))
    }

    @Test("of a request that fails half-way nothing is left, and what was there stays")
    func failing() async throws {
        for (provider, error) in [
            (
                StepwiseProvider(contents, failingAt: 524_288),
                AssetResourceError.source(.network(.connectionFailed(reason: "test")))
            ),
            (
                StepwiseProvider(contents, claiming: 700_000),
                .truncated(receivedByteCount: 600_000, expectedByteCount: 700_000)
            ),
            (StepwiseProvider(contents, requiresNetwork: true), .networkAccessRequired),
        ] {
            await #expect(throws: error) { try await write(provider) }
            #expect(names.isEmpty)
        }
        try folder.write("copy.jpg", [1, 2, 3])
        await #expect(throws: AssetResourceError.self) {
            try await write(StepwiseProvider(contents, failingAt: 262_144))
        }
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]) && names == ["copy.jpg"])
        let nowhere = folder.path + "/none/copy.jpg"
        await #expect(throws: AssetResourceError.unwritable(path: nowhere, code: ENOENT)) {
            try await manager.writeData(for: .bytes(contents), toFile: nowhere)
        }
    }

    @Test("of a cancelled request nothing is left, even while a read still waits")
    func cancelled() async throws {
        let provider = StepwiseProvider(contents)
        let token = CancellationToken()
        let options = AssetResourceRequestOptions { options in
            options.cancellationToken = token
            options.progressHandler = { fraction, _ in if fraction < 0.5 { provider.suspend() } }
        }
        let (manager, path) = (manager, path)
        let writing = Task { try await manager.writeData(for: .provider(provider), toFile: path, options: options) }
        await provider.waitForHeldReads()
        #expect(names.count == 1, "the first chunk is in the temporary file")
        token.cancel()
        await #expect(throws: AssetResourceError.cancelled) { try await writing.value }
        #expect(names.isEmpty)
        provider.resume()
    }

    #if os(Linux)
    @Test("on a full disk nothing is left", .takesTurns)
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            // The limit on the length of files stands for the end of the disk.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let folder = try ScratchFolder()
            let path = folder.path + "/copy.jpg"
            await #expect(throws: AssetResourceError.unwritable(path: path, code: EFBIG)) {
                try await AssetResourceManager.default.writeData(
                    for: .bytes([UInt8](repeating: 7, count: 600_000)), toFile: path)
            }
            #expect(AssetResourceError.unwritable(path: path, code: EFBIG).code == 3305)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("four gigabytes go to a file within four megabytes of memory", .takesTurns)
    func memory() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            let big = try folder.write("big.mov", [1, 2, 3])
            #expect(truncate(big, 4 << 30) == 0)
            // The threads and the code of a small copy are there before the measurement begins.
            try await AssetResourceManager.default.writeData(
                for: .bytes([UInt8](repeating: 7, count: 600_000)), toFile: folder.path + "/small.mov")
            let idle = try ProcessMemory.peakByteCount()
            try await AssetResourceManager.default.writeData(for: .file(path: big), toFile: folder.path + "/copy.mov")
            #expect(try ProcessMemory.peakByteCount() - idle <= 4 << 20)
            #expect(try FileByteSource(path: folder.path + "/copy.mov").byteCount == 4 << 30)
        }
    }
    #endif
}

#if os(Linux)
/// The most memory that this process has ever had resident.
private enum ProcessMemory {
    static func peakByteCount() throws -> Int {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/status"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(separator: " ").dropLast().last ?? "")) << 10
    }
}
#endif
