import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelService

@Suite("Requests that wait for their turn")
struct WaitingTests {
    private func handler(
        _ fixture: GalleryFixture, deadline: Duration? = nil, limit: Int = 100_000
    ) -> ServiceHandler {
        let tenants = ["ann", "bob"].map { name in
            ServiceTenant(
                name: name, tokens: ["token-of-\(name)-1234"], library: fixture.library, waitingLimit: limit)
        }
        return ServiceHandler(
            tenants: tenants, manager: fixture.manager,
            configuration: ServiceHandler.Configuration {
                $0.deadline = deadline
                // The names of photographs follow from the secret. With one secret, all handlers use the same names.
                $0.secret = ServiceSecret(Array("a secret that all handlers have".utf8))
            })
    }

    private func request(_ target: String) -> ServiceRequest {
        ServiceRequest(target: target, fields: ["authorization": "Bearer token-of-ann-1234"])
    }

    private func address(_ handler: ServiceHandler) async throws -> String {
        let grid = await handler.response(to: request("/api/grid"))
        return try GridReading(grid.bytes).addresses[0] + "/64x64.jpg"
    }

    @Test("twenty thousand requests for one picture all end, and take no stack", .endsHangs)
    func crowd() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = handler(fixture)
        // All wait until the place is given back that another tenant's requests have taken.
        let taken = (0..<2).compactMap { _ in handler.admission.enter(1, PriorityHint([:])) { _ in } }
        let address = try await address(handler)
        let count = 20_000
        let statuses = Mutex<[Int: Int]>([:])
        await withCheckedContinuation { continuation in
            for _ in 0..<count {
                guard case .pending(let pending) = handler.answer(to: request(address)) else { continue }
                pending.whenReady { response in
                    let ended = statuses.withLock { statuses in
                        statuses[response.status, default: 0] += 1
                        return statuses.values.reduce(0, +)
                    }
                    if ended == count { continuation.resume() }
                }
            }
            handler.admission.leave(taken[0])
        }
        #expect(statuses.withLock { $0 } == [200: count])
    }

    @Test("clients that have left while a disk hangs give their places to those who come", .endsHangs)
    func placesOfThoseWhoLeft() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let policy = HeldPolicy()
        let tenant = ServiceTenant(
            name: "held", tokens: [], library: fixture.library.view(for: policy), waitingLimit: 2)
        let handler = ServiceHandler(tenants: [tenant], manager: fixture.manager, configuration: .unhurried)
        func ask() throws -> PendingResponse {
            switch handler.answer(to: ServiceRequest(target: "/api/albums")) {
            case .pending(let pending): return pending
            case .ready(let response): throw Refusal(status: response.status)
            }
        }
        policy.hold()
        let first = try ask()
        await policy.waitForCall()
        for _ in 0..<10 {
            let waiting = [try ask(), try ask()]
            #expect(throws: Refusal(status: 503)) { try ask() }
            for each in waiting {
                each.cancel()
                #expect(each.response?.notes.isAbandoned == true)
            }
        }
        policy.release()
        let response = await withCheckedContinuation { continuation in
            first.whenReady { continuation.resume(returning: $0) }
        }
        #expect(response.status == 200)
    }

    private struct Refusal: Error, Equatable {
        let status: Int
    }

    @Test("the wait for a turn is told", .endsHangs)
    func notes() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = handler(fixture)
        let address = try await address(handler)
        let taken = (0..<2).compactMap { _ in handler.admission.enter(1, PriorityHint([:])) { _ in } }
        guard case .pending(let pending) = handler.answer(to: request(address)) else {
            Issue.record("no turns")
            return
        }
        let start = MonotonicTime.now
        while MonotonicTime.now.milliseconds(since: start) < 3 { await Task.yield() }
        for entry in taken { handler.admission.leave(entry) }
        let response = await withCheckedContinuation { continuation in
            pending.whenReady { continuation.resume(returning: $0) }
        }
        #expect(response.status == 200 && response.notes.origin == .render && response.notes.queueMilliseconds >= 3)
    }

    @Test("a request that never gets its turn ends at its deadline", .endsHangs)
    func deadline() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let address = try await address(handler(fixture))
        let handler = handler(fixture, deadline: .milliseconds(1))
        // Nobody else gives a place back.
        for _ in 0..<2 { _ = handler.admission.enter(1, PriorityHint([:])) { _ in } }
        let response = await handler.response(to: request(address))
        #expect(response.status == 503 && response.fields["retry-after"] == "1" && response.errorName == "busy")
        #expect(response.notes.queueMilliseconds >= 1)
        #expect(handler.admission.counts == [.init(), .init(waiting: 0, running: 2)])
    }
}
