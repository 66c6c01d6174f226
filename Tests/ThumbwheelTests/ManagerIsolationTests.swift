import Foundation
import TestSupport
import Testing
import ThumbwheelCore

@testable import Thumbwheel
@testable import ThumbwheelPipeline

#if os(Linux)
/// What a manager makes of decoding outside the process.
@Suite(.endsHangs) struct ManagerIsolationTests {
    private static let size = PixelSize(width: 40, height: 40)
    private static let decoder = BuiltExecutable.path("PlantedDecoder")

    private static func manager(_ isolation: Isolation, decoder: String? = nil, workers: Int = 1) -> ImageManager {
        .undisturbed {
            $0.workerCount = workers
            $0.memoryBudget = 512 << 20
            $0.isolation = isolation
            $0.decoderPath = decoder ?? "/nowhere/decoder"
        }
    }

    private static let bitmap = Bitmap(size: PixelSize(width: 120, height: 80), format: .rgb) {
        for index in $0.indices { $0[index] = UInt8(truncatingIfNeeded: index / 7) }
    }

    private static func asset(_ encoding: ImageEncoding, _ number: UInt64, fault: String? = nil) throws -> Asset {
        let tail = fault.map { Array("PLANTED \($0)".utf8) } ?? []
        return try Asset(
            reading: .bytes(try bitmap.encoded(as: encoding) + tail),
            identifier: AssetIdentifier(high: 3, low: number), originalFilename: "picture")
    }

    private static func work(of asset: Asset, by isolation: Isolation) throws -> RenderWork {
        let order = ImageOrder(
            asset: asset, targetSize: size, contentMode: .aspectFit, options: ImageRequestOptions())
        return try order.checked(usesEmbeddedPreviews: true, limits: RenderLimits(), isolation: isolation).work
    }

    @Test("the memory budget counts the processes that wait")
    func budget() {
        let none = Self.manager(.none).statistics.budgetLimitByteCount
        for workers in 1...3 {
            let limit = Self.manager(.untrusted, workers: workers).statistics.budgetLimitByteCount
            #expect(none - limit == workers * DecoderPool.idleByteCount)
        }
    }

    @Test("a decode outside the process can be stopped in every format, and its memory is as predicted")
    func stoppable() throws {
        // A single picture, without tiles.
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../TenBit/ramp10.avif").path
        let asset = try Asset(
            reading: .bytes(try FileByteSource(path: path).bytes()), identifier: AssetIdentifier(high: 3, low: 1),
            originalFilename: "ramp")
        for isolation in Isolation.allCases {
            let work = try Self.work(of: asset, by: isolation)
            #expect(work.isStoppable(for: .high) == (isolation != .none))
            #expect((work.memoryClass(for: .high) == nil) == (isolation != .none))
            let photograph = try Self.work(of: try Self.asset(.jpeg(quality: 80), 2), by: isolation)
            #expect(photograph.isStoppable(for: .high))
            #expect((photograph.memoryClass(for: .high) == nil) == (isolation == .all))
        }
    }

    @Test(
        "a file that crashes its decoder is given to it once, and others are decoded",
        .enabled(if: decoder != nil, "PlantedDecoder has not been built"))
    func crashes() async throws {
        let manager = Self.manager(.all, decoder: Self.decoder)
        let hostile = try Self.asset(.png, 1, fault: "segfault")
        let options = ImageRequestOptions { $0.deliveryMode = .highQuality }
        for side in [40, 40, 30] {
            await #expect(throws: ImageRequestError.rendering(.decoderFailed(signal: SIGSEGV))) {
                _ = try await manager.image(
                    for: hostile, targetSize: PixelSize(width: side, height: side), options: options)
            }
        }
        #expect(manager.decoderStatistics?.crashed == 1)
        #expect(manager.statistics.renders.started == 1 && manager.statistics.renders.spared == 2)
        _ = try await manager.image(for: try Self.asset(.png, 2), targetSize: Self.size, options: options)
        let text = try #require(manager.decoderStatistics).prometheusText
        #expect(text.contains("thumbwheel_decoder_processes_ended_total{reason=\"crashed\"} 1\n"))
        #expect(text.contains("thumbwheel_decoder_jobs_total 2\n"))
        #expect(text.contains("thumbwheel_decoder_processes_refused_total 0\n"))
        #expect(text.contains("thumbwheel_decoder_protection{name=\"callFilter\"} 1\n"))
        #expect(manager.statistics.prometheusText.contains("thumbwheel_renders_spared_total 2\n"))
        await manager.shutdown()
    }
}
#endif
