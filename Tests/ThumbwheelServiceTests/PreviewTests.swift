import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelPipeline

@testable import ThumbwheelService

@Suite("Previews, several in one answer")
struct PreviewTests {
    /// Suspends a renderer from within one of its calls.
    private final class Holder: Sendable {
        private let renderer = Mutex<SuspendableRenderer?>(nil)

        func hold(_ renderer: SuspendableRenderer) { self.renderer.withLock { $0 = renderer } }

        func suspend() { renderer.withLock { $0 }?.suspend() }
    }

    /// Reads a stream to its end.
    private func drained(_ response: ServiceResponse) async -> [UInt8] {
        guard case .stream(let stream) = response.body else { return response.bytes }
        var bytes: [UInt8] = []
        while let part = stream.take() {
            bytes += part
            await withCheckedContinuation { continuation in stream.whenReadable { continuation.resume() } }
        }
        return bytes
    }

    /// Whether a stream that has been drained is complete; nil for another body.
    private func isComplete(_ response: ServiceResponse) -> Bool? {
        if case .stream(let stream) = response.body { stream.isComplete } else { nil }
    }

    /// The pictures of an answer by their places.
    private func pictures(_ bytes: [UInt8]) throws -> [Int: [UInt8]] {
        var (rest, pictures) = (bytes[...], [Int: [UInt8]]())
        while let place = rest.first {
            let head = Array(rest.prefix(4))
            try #require(head.count == 4)
            let count = Int(head[1]) | Int(head[2]) << 8 | Int(head[3]) << 16
            try #require(rest.count >= 4 + count && pictures[Int(place)] == nil)
            pictures[Int(place)] = Array(rest.dropFirst(4).prefix(count))
            rest = rest.dropFirst(4 + count)
        }
        return pictures
    }

    private func target(_ addresses: [String]) -> String {
        let names = addresses.map { $0.dropFirst(3).replacing("/", with: ".") }
        return "/api/previews?of=" + names.joined(separator: ",")
    }

    @Test("each picture comes under its place in the list, and what there is not is left out", .endsHangs)
    func places() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let addresses = try await fixture.addresses(handler)
        let strange = addresses[1].dropLast(2) + "AA"
        let request = ServiceRequest(target: target([addresses[2], String(strange), addresses[0], "/a/x/y"]))
        let response = await handler.response(to: request)
        #expect(response.status == 200 && response.notes.route == .previews)
        #expect(response.fields["x-accel-buffering"] == "no")
        let made = try pictures(await drained(response))
        #expect(Set(made.keys) == [0, 2])
        for picture in made.values {
            let head = try ImageHead(reading: MemoryByteSource(picture))
            #expect(head.contentType == .jpeg && head.storedSize.width == 96 && head.storedSize.height < 96)
        }
        #expect(made[0] != made[2])
        #expect(response.notes.origin == .render && response.notes.renderMilliseconds > 0)
        // What is cached comes at once, with a length.
        let again = await handler.response(to: request)
        guard case .bytes(let bytes) = again.body else {
            Issue.record("cached pictures are streamed")
            return
        }
        #expect(again.fields["x-accel-buffering"] == nil && again.notes.origin == .cache)
        #expect(try pictures(bytes) == made)
        for line in [
            "pictures_total{origin=\"cache\"} 2\n", "pictures_total{origin=\"render\"} 2\n",
            "response_seconds_count{tenant=\"everybody\",route=\"previews\"} 2\n",
        ] { #expect(handler.metricsText.contains("thumbwheel_service_" + line), "\(line)") }
        let head = await handler.response(to: ServiceRequest(method: "HEAD", target: request.target))
        #expect(head.status == 200 && head.bytes.isEmpty)
    }

    @Test("a picture is there before the others are made, and a client that leaves ends their work", .endsHangs)
    func leaving() async throws {
        // The first call ends, and those behind it are held up: there is one worker.
        let holder = Holder()
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer { _ in
            holder.suspend()
            return GalleryFixture.image(file)
        }
        holder.hold(renderer)
        let fixture = try await GalleryFixture(renderer: renderer)
        let handler = fixture.handler()
        let addresses = try await fixture.addresses(handler)
        guard case .ready(let response) = handler.answer(to: ServiceRequest(target: target(addresses))),
            case .stream(let stream) = response.body
        else {
            Issue.record("no stream")
            return
        }
        await renderer.waitForCalls(2)
        await withCheckedContinuation { continuation in stream.whenReadable { continuation.resume() } }
        #expect(try pictures(stream.take() ?? []) == [0: file])
        #expect(handler.metricsText.contains("thumbwheel_service_running{tenant=\"everybody\"} 2\n"))
        stream.close()
        #expect(stream.take() == nil)
        #expect(handler.metricsText.contains("thumbwheel_service_running{tenant=\"everybody\"} 0\n"))
        await fixture.manager.shutdown(graceful: false)
        // All but the first are stopped, whether the last one had begun or not.
        #expect(renderer.callCount >= 2 && renderer.stoppedCount == renderer.callCount - 1)
    }

    /// A handler whose tenant may have two requests that wait.
    private func narrowHandler(_ fixture: GalleryFixture) -> ServiceHandler {
        let tenant = ServiceTenant(name: "everybody", tokens: [], library: fixture.library, waitingLimit: 2)
        return ServiceHandler(
            tenants: [tenant], manager: fixture.manager,
            configuration: ServiceHandler.Configuration { $0.deadline = nil })
    }

    @Test("where no picture has a place the answer is 503, and one without some that have none is not kept", .endsHangs)
    func busy() async throws {
        let fixture = try await GalleryFixture()
        let handler = narrowHandler(fixture)
        let addresses = try await fixture.addresses(handler)
        let first = await handler.response(to: ServiceRequest(target: target([addresses[0]])))
        let early = try pictures(await drained(first))
        #expect(early.count == 1 && isComplete(first) == true)
        // A place is given back after the answer.
        while handler.admission.counts != [.init()] { await Task.yield() }
        let taken = (0..<2).compactMap { _ in handler.admission.enter(0, PriorityHint([:])) { _ in } }
        let refused = await handler.response(to: ServiceRequest(target: target(Array(addresses.dropFirst()))))
        #expect(refused.status == 503 && refused.fields["retry-after"] == "1" && refused.errorName == "busy")
        // A cached picture needs no place.
        let part = await handler.response(to: ServiceRequest(target: target(addresses)))
        #expect(part.status == 200 && part.fields["cache-control"] == "no-store")
        #expect(try pictures(part.bytes) == early)
        for entry in taken { handler.admission.leave(entry) }
        // Two are missing, and there are two places.
        let whole = await handler.response(to: ServiceRequest(target: target(addresses)))
        let all = try pictures(await drained(whole))
        #expect(all.count == 3 && isComplete(whole) == true)
        #expect(whole.fields["cache-control"] == "public, max-age=3600")
    }

    @Test("a list that is longer than the tenant has places breaks off behind the others", .endsHangs)
    func breaking() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer(isSuspended: true) { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(renderer: renderer)
        let handler = narrowHandler(fixture)
        let addresses = try await fixture.addresses(handler)
        let response = await handler.response(to: ServiceRequest(target: target(addresses)))
        #expect(response.status == 200 && response.fields["cache-control"] == "no-store")
        renderer.resume()
        let made = try pictures(await drained(response))
        #expect(made == [0: file, 1: file] && isComplete(response) == false)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("a picture that its deadline has ended breaks the answer off", .endsHangs)
    func deadline() async throws {
        let fixture = try await GalleryFixture()
        let patient = fixture.handler()
        let addresses = try await fixture.addresses(patient)
        let early = await patient.response(to: ServiceRequest(target: target([addresses[0]])))
        let made = try pictures(await drained(early))
        #expect(made.count == 1 && isComplete(early) == true)
        let handler = fixture.handler { $0.deadline = .zero }
        let late = await handler.response(to: ServiceRequest(target: target(addresses)))
        let left = try pictures(await drained(late))
        #expect(late.status == 200 && left == made && isComplete(late) == false)
    }

    @Test("a stream is complete once all has been added and taken, and never if it was closed before")
    func completing() {
        let stream = ByteStream()
        stream.append("text")
        stream.complete()
        #expect(!stream.isComplete)
        #expect(stream.take()?.count == 4 && stream.isComplete && stream.take() == nil)
        stream.close()
        #expect(stream.isComplete)
        let closed = ByteStream()
        closed.close()
        closed.complete()
        #expect(!closed.isComplete)
        let full = ByteStream(capacity: 0)
        for _ in 0..<2 { full.append("text") }
        full.complete()
        #expect(full.take()?.count == 4 && !full.isComplete)
    }

    @Test("a list that is empty, too long, or beside other parameters is refused")
    func refusals() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0]
        for query in ["", "?of=", target(Array(repeating: "/a/x/y", count: 61)).dropFirst(13) + "", "?of=a.b&side=9"] {
            let response = await handler.response(to: ServiceRequest(target: "/api/previews" + query))
            let isEmptyList = query == "?of="
            #expect(isEmptyList ? response.bytes.isEmpty : response.errorName == "invalidParameter", "\(query)")
        }
        let post = await handler.response(to: ServiceRequest(method: "POST", target: target([address])))
        #expect(post.status == 405)
        let signed = fixture.handler { $0.requiresSignatures = true }
        #expect(await signed.response(to: ServiceRequest(target: target([address]))).status == 403)
    }
}
