import Foundation
import Testing
import Thumbwheel

@testable import SoakKit

@Suite struct SoakHostTests {
    private func settings(_ seed: UInt64, steps: Int) -> SoakSettings {
        var settings = SoakSettings(
            seed: seed, folder: NSTemporaryDirectory() + "soak-tests-\(UInt64.random(in: 0 ... .max))")
        settings.makeSmall()
        settings.stepLimit = steps
        settings.watchesMemory = false
        // The whole suite runs on as many threads as there are processors: a step may wait for minutes until it is its turn.
        settings.patience = .seconds(3600)
        return settings
    }

    @Test("some hundred steps keep every promise", arguments: [1, 2] as [UInt64])
    func promises(seed: UInt64) async throws {
        let settings = settings(seed, steps: 400)
        defer { try? FileManager.default.removeItem(atPath: settings.folder) }
        let host = try SoakHost(settings) { Issue.record("seed \(seed): nothing has come of \($0)") }
        try await host.run { _ in }
        #expect(host.stepCount == 400)
        #expect(host.progress.requestCount > 0)
    }

    @Test("a library that is not the model's is found at the next step")
    func difference() async throws {
        let settings = settings(3, steps: 200)
        defer { try? FileManager.default.removeItem(atPath: settings.folder) }
        let host = try SoakHost(settings) { Issue.record("nothing has come of \($0)") }
        let stranger = try Asset(
            reading: .bytes(try SoakPicture(number: 9000, format: .png).encoded()),
            identifier: AssetIdentifier(soak: 9000), originalFilename: "stranger")
        await host.library.add([stranger])
        await #expect(throws: SoakFailure.self) { try await host.run { _ in } }
        #expect(host.stepCount < 10)
    }
}
