import Foundation
import TestSupport
import ThumbwheelCore

@testable import ThumbwheelRendering

#if os(Linux)
/// The decoder programs that the build has put beside the tests.
enum DecoderFixture {
    /// The folder of the build's executables.
    private static let folder = BuiltExecutable.path("PlantedDecoder").map {
        URL(filePath: $0).deletingLastPathComponent().path
    }

    static var isBuilt: Bool { folder != nil }
    static let reasonToSkip = "PlantedDecoder and thumbwheel-decoder have not been built"

    /// Decodes outside the process by the decoder with planted faults, which decodes other files as usual.
    static func planted(limits: RenderLimits = RenderLimits(), _ scope: Isolation = .untrusted) -> RenderIsolation {
        var configuration = DecoderPool.Configuration(limits: limits)
        configuration.executable = folder! + "/PlantedDecoder"
        configuration.memoryByteCount = 256 << 20
        configuration.outputByteCount = 16 << 20
        // On a busy machine the signal of a crash may come late.
        configuration.signalMilliseconds = 600_000
        return RenderIsolation(scope, pool: DecoderPool(configuration))!
    }

    /// Decodes outside the process by the program that is delivered.
    static func delivered(_ scope: Isolation) -> RenderIsolation {
        var configuration = DecoderPool.Configuration()
        configuration.executable = folder! + "/thumbwheel-decoder"
        return RenderIsolation(scope, pool: DecoderPool(configuration))!
    }

    /// A sound WebP after whose end a word names a planted fault.
    static func file(triggering fault: String) throws -> MemoryByteSource {
        MemoryByteSource(try Pictures.scene(120, 80).encoded(as: .webp(quality: 80)) + Array("PLANTED \(fault)".utf8))
    }
}
#endif
