import FixtureKit
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks

@testable import ThumbwheelRendering

#if os(Linux)
@Suite(
    "Rendering outside the process",
    .enabled(if: DecoderFixture.isBuilt, Comment(rawValue: DecoderFixture.reasonToSkip)), .endsHangs)
struct IsolatedRenderingTests {
    private static let options = [
        RenderOptions(targetSize: PixelSize(width: 48, height: 48)),
        RenderOptions(targetSize: .maximum, contentMode: .aspectFit) { $0.resizeMode = .none },
        RenderOptions(targetSize: PixelSize(width: 90, height: 60)) { $0.pixelRange = .extended },
    ]

    static let formats: [ImageEncoding] = [.webp(quality: 80), .jpeg(quality: 80), .png]

    private static func expectSame(
        _ source: any ByteSource, _ scope: Isolation, jobs: Int, _ what: String
    ) throws {
        let isolation = DecoderFixture.delivered(scope)
        let renderer = Renderer(assistants: nil, isolation: isolation)
        let here = try Renderer().render(source, options: options, makesThumbHash: true).map { try $0.get() }
        let there = try renderer.render(source, options: options, limits: .unhurried, makesThumbHash: true).map {
            try $0.get()
        }
        for (one, other) in zip(here, there) {
            #expect(one.bitmap.size == other.bitmap.size && one.bitmap.format == other.bitmap.format, "\(what)")
            #expect(Pictures.samples(one.bitmap) == Pictures.samples(other.bitmap), "\(what)")
            // Other tests of this process may have installed libavcodec, which the delivered decoder does not have.
            let isHEVC = one.decoder == .de265 || one.decoder == .libavcodec
            #expect(isHEVC || one.decoder == other.decoder, "\(what)")
            #expect(one.eighths == other.eighths, "\(what)")
            #expect(one.thumbHash == other.thumbHash && one.source == other.source, "\(what)")
        }
        #expect(isolation.pool.statistics.jobs == jobs, "\(what)")
    }

    @Test("images are equal to those made in the process, from memory and from files", arguments: formats)
    func equal(_ format: ImageEncoding) throws {
        let bytes = try Pictures.scene(900, 700).encoded(as: format)
        let jobs = if case .webp = format { 1 } else { 0 }
        try Self.expectSame(MemoryByteSource(bytes), .untrusted, jobs: jobs, "memory")
        let file = FileManager.default.temporaryDirectory.appending(path: "isolated-\(UUID())")
        try Data([1, 2, 3] + bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let source = SubrangeByteSource(try FileByteSource(path: file.path), range: 3..<bytes.count + 3)
        try Self.expectSame(source, .all, jobs: 1, "a part of a file")
    }

    /// Idle threads, with the number of times that one was lent.
    private final class CountedThreads: RenderAssistants {
        let count = Mutex(0)

        func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
            count.withLock { $0 += 1 }
            return DetachedThread.start(named: "idle") { work { false } }
        }
    }

    @Test("idle threads of the host are lent to a decoder, and change no pixel")
    func lentThreads() throws {
        let bytes = try Pictures.noise(1100, 1000, seed: 3).encoded(as: .jpeg(quality: 90))
        #expect(bytes.count > 1 << 20)
        let threads = CountedThreads()
        let renderer = Renderer(assistants: threads, isolation: DecoderFixture.delivered(.all))
        let here = try Renderer().render(MemoryByteSource(bytes), options: Self.options[0])
        for _ in 0..<3 {
            let there = try renderer.render(
                MemoryByteSource(bytes), options: Self.options[0], limits: .unhurried)
            #expect(Pictures.samples(here.bitmap) == Pictures.samples(there.bitmap))
        }
        #expect(threads.count.withLock { $0 } >= 3)
    }

    @Test("photographs of HEVC and AV1 are equal", arguments: ["ramp10.avif", "ramp10.heic"])
    func tiles(_ name: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../TenBit/\(name)").path
        try Self.expectSame(try FileByteSource(path: path), .untrusted, jobs: 1, name)
    }

    @Test("a JPEG of a coding that only libvips reads leaves the process, and a usual one does not")
    func rareCodings() throws {
        let raster = Raster(Scene(seed: 5, subject: .seaside, noise: 120), width: 300, height: 200)
        let arithmetic = try JPEGEncoder(quality: 90, subsampling: .yuv420, variation: .arithmetic).encode(raster)
        try Self.expectSame(MemoryByteSource(arithmetic), .untrusted, jobs: 1, "arithmetic")
    }

    @Test("errors are those of the process, and the decoder goes on")
    func errors() throws {
        let isolation = DecoderFixture.delivered(.all)
        let renderer = Renderer(assistants: nil, isolation: isolation)
        let bytes = try Pictures.scene(200, 100).encoded(as: .webp(quality: 80))
        let cut = MemoryByteSource(Array(bytes[..<(bytes.count / 2)]))
        let options = Self.options[0]
        let here = Result { () throws(RenderError) in try Renderer().render(cut, options: options).isPartial }
        let there = Result { () throws(RenderError) in
            try renderer.render(cut, options: options, limits: .unhurried).isPartial
        }
        #expect(here == there)
        #expect(throws: RenderError.limitExceeded(limit: .pixels)) {
            try renderer.render(
                MemoryByteSource(bytes), options: Self.options[0],
                limits: RenderLimits(pixelCount: 100, duration: .seconds(3600)))
        }
        #expect(isolation.pool.statistics.jobs == 2)
        #expect(isolation.pool.statistics.crashed == 0)
    }

    @Test("a source that fails is told by its own error")
    func sources() throws {
        struct Failing: ByteSource {
            let base: MemoryByteSource
            var byteCount: Int { base.byteCount }
            func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
                if offset + buffer.count > 60_000 { throw .unreadable(path: "there", code: 5) }
                return base.read(into: buffer, at: offset)
            }
        }
        let bytes = try Pictures.noise(400, 400, seed: 3).encoded(as: .webp(quality: 95))
        let isolation = DecoderFixture.delivered(.untrusted)
        #expect(throws: RenderError.source(.unreadable(path: "there", code: 5))) {
            try Renderer(assistants: nil, isolation: isolation).render(
                Failing(base: MemoryByteSource(bytes)), options: Self.options[0], limits: .unhurried)
        }
    }

    @Test("without its executable a decoder is unavailable, and files of the own decoders are rendered")
    func missing() throws {
        var configuration = DecoderPool.Configuration()
        configuration.executable = "/nowhere/decoder"
        let isolation = RenderIsolation(.untrusted, pool: DecoderPool(configuration))!
        let renderer = Renderer(assistants: nil, isolation: isolation)
        let webp = MemoryByteSource(try Pictures.scene(50, 50).encoded(as: .webp(quality: 80)))
        #expect(throws: RenderError.unavailable(reason: "no executable at /nowhere/decoder")) {
            try renderer.render(webp, options: Self.options[0])
        }
        let png = MemoryByteSource(try Pictures.scene(50, 50).encoded(as: .png))
        #expect(try renderer.render(png, options: Self.options[0]).decoder == .png)
    }

    @Test("the processes have all protections that are required, and the statistics tell those that are missing")
    func protections() throws {
        let isolation = DecoderFixture.delivered(.all)
        let loan = try isolation.pool.take()
        #expect(loan.handle.containment.isSuperset(of: .required))
        let statistics = isolation.pool.statistics
        #expect(statistics.missingProtections.union(statistics.containment) == .all)
    }

    @Test("a decoder reads what an image needs of a remote file, and no more")
    func reading() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../TenBit/ramp10.heic").path
        // Behind the picture lies what no image needs.
        let bytes =
            try FileByteSource(path: path).bytes() + [0, 0, 0, 0] + Array("mdat".utf8)
            + [UInt8](repeating: 0, count: 4 << 20)
        let gatherer = RangeGatherer(MemoryByteSource(bytes), byteLimit: bytes.count)
        let isolation = DecoderFixture.delivered(.untrusted)
        let images = try isolation.pool.run(
            .reading(Self.options[0], readsAlternatives: false), of: gatherer, limits: .unhurried,
            makesThumbHash: false, assistants: nil, cancellation: nil)
        #expect(images.isEmpty && isolation.pool.statistics.jobs == 1)
        #expect(gatherer.gatheredByteCount < 1 << 20)
        let gathered = gatherer.gathered
        let renderer = Renderer(assistants: nil, isolation: isolation)
        let there = try renderer.render(gathered, options: Self.options[0], limits: .unhurried)
        #expect(!gathered.isLacking)
        let here = try Renderer().render(MemoryByteSource(bytes), options: Self.options[0])
        #expect(Pictures.samples(here.bitmap) == Pictures.samples(there.bitmap))
    }

    @Test("free memory of a process goes back to the system while it waits")
    func rest() throws {
        let isolation = DecoderFixture.delivered(.all)
        let bytes = try Pictures.noise(1500, 1500, seed: 3).encoded(as: .webp(quality: 90))
        _ = try Renderer(assistants: nil, isolation: isolation).render(
            MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum) { $0.resizeMode = .none },
            limits: .unhurried)
        let end = ContinuousClock.now + .seconds(600)
        var kibibytes = Int.max
        while kibibytes > 8 << 10, ContinuousClock.now < end {
            kibibytes = try isolation.pool.withProcess(Self.privateKibibytes)
        }
        #expect(kibibytes <= 8 << 10)
    }

    @Test("a process is renewed after its last job")
    func renewal() throws {
        var configuration = isolationOfTwoJobs
        configuration.readyCount = 1
        let pool = DecoderPool(configuration)
        let renderer = Renderer(assistants: nil, isolation: RenderIsolation(.all, pool: pool))
        let png = MemoryByteSource(try Pictures.scene(50, 50).encoded(as: .png))
        var numbers: Set<Int> = []
        for _ in 0..<6 {
            let loan = try pool.take()
            numbers.insert(loan.handle.processIdentifier)
            pool.giveBack(loan)
            _ = try renderer.render(png, options: Self.options[0], limits: .unhurried)
        }
        #expect(numbers.count > 1)
        #expect(pool.statistics.crashed == 0)
    }

    /// The memory of a process that it shares with no other.
    private static func privateKibibytes(of process: Int) -> Int {
        let file = FileHandle(forReadingAtPath: "/proc/\(process)/smaps_rollup")
        guard let bytes = try? file?.readToEnd() else { return .max }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("Private_") }
            .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
    }

    private var isolationOfTwoJobs: DecoderPool.Configuration {
        var configuration = DecoderFixture.delivered(.all).pool.configuration
        configuration.jobLimit = 2
        return configuration
    }
}
#endif
