import TestSupport
import Testing
import Thumbwheel

@testable import ThumbwheelService

/// The memory budget of a service with several tenants.
@Suite("Tenants' shares of the memory budget")
struct TenantBudgetTests {
    /// A renderer of files that count as one MiB each.
    private static let renderer = SuspendableRenderer { _ in
        let size = PixelSize(width: 400, height: 300)
        let data = ImageData(
            bytes: [1, 2, 3], contentType: .jpeg, orientation: .up, pixelSize: size,
            entityTag: EntityTag(hashing: ["file"]))
        return .success(PipelineImage(.file(data), ImageFacts(pixelSize: size, byteCount: 1 << 20)))
    }

    private func handler(_ names: [String], _ fixture: GalleryFixture) -> ServiceHandler {
        ServiceHandler(
            tenants: names.map {
                ServiceTenant(name: $0, tokens: ["token-of-\($0)-1234"], library: fixture.library)
            }, manager: fixture.manager, configuration: .unhurried)
    }

    private func get(_ handler: ServiceHandler, _ target: String, as name: String) async -> ServiceResponse {
        let fields: HTTPFields = ["authorization": "Bearer token-of-\(name)-1234"]
        return await handler.response(to: ServiceRequest(target: target, fields: fields))
    }

    /// The addresses of up to 256 pictures: parts of one photograph.
    private func pictures(_ handler: ServiceHandler, of photograph: Int, as name: String) async throws -> [String] {
        let grid = await get(handler, "/api/grid", as: name)
        let address = try GridReading(grid.bytes).addresses[photograph]
        return (0..<256).map { part in
            let (left, top) = (Double(part % 16) / 16, Double(part / 16) / 16)
            return address + "/64x64.jpg?crop=\(left),\(top),0.0625,0.0625"
        }
    }

    @Test("a tenant that walks over many times the budget leaves another one its pictures", .endsHangs)
    func greedyTenant() async throws {
        let fixture = try await GalleryFixture(count: 2, renderer: Self.renderer)
        let handler = handler(["ann", "bob"], fixture)
        let few = try await pictures(handler, of: 0, as: "ann").prefix(12)
        for picture in few { #expect(await get(handler, picture, as: "ann").status == 200) }
        for picture in try await pictures(handler, of: 1, as: "bob") {
            #expect(await get(handler, picture, as: "bob").status == 200)
            #expect(fixture.manager.statistics.budgetUsedByteCount <= 64 << 20)
        }
        for picture in few { #expect(await get(handler, picture, as: "ann").notes.origin == .cache) }
        let text = handler.metricsText
        #expect(text.contains("thumbwheel_service_cache_bytes{tenant=\"ann\"} \(12 << 20)\n"))
        let bytes = try #require(fixture.manager.statistics.ownedByteCounts[1])
        #expect(text.contains("thumbwheel_service_cache_bytes{tenant=\"bob\"} \(bytes)\n"))
        #expect(bytes > 40 << 20)
    }

    @Test("a single tenant has no share, and its metrics count none")
    func singleTenant() async throws {
        let fixture = try await GalleryFixture(count: 1, renderer: Self.renderer)
        let handler = handler(["ann"], fixture)
        for picture in try await pictures(handler, of: 0, as: "ann").prefix(3) {
            #expect(await get(handler, picture, as: "ann").status == 200)
        }
        #expect(fixture.manager.statistics.ownedByteCounts == [:])
        #expect(!handler.metricsText.contains("thumbwheel_service_cache_bytes"))
    }
}
