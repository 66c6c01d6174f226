import Thumbwheel
import ThumbwheelLocks

/// Counts of requests and their times, by tenant and kind of address.
final class ServiceMetrics: Sendable {
    /// The upper bounds of the classes of times, in seconds.
    private static let bounds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]

    private static let routes = ServiceNotes.Route.allCases

    private struct Times {
        var counts = Array(repeating: 0, count: bounds.count + 1)
        var seconds = 0.0

        mutating func add(_ value: Double) {
            counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
            seconds += value
        }
    }

    private struct Key: Hashable {
        let tenant: Int
        let route: ServiceNotes.Route
        let status: Int
    }

    private struct State {
        var begun = 0
        var responses: [Key: Int] = [:]
        var byteCounts: [Int]
        var abandoned: [Int]
        var refused: [Int]
        var origins: [ServiceNotes.Origin: Int] = [:]
        /// The times of each kind of address of each tenant, one tenant after another.
        var times: [Times]
    }

    /// The tenants' names, and last that of requests without a tenant.
    private let names: [String]
    private let state: Mutex<State>

    init(_ names: [String]) {
        self.names = names + [""]
        let zeros = Array(repeating: 0, count: names.count + 1)
        state = Mutex(
            State(
                byteCounts: zeros, abandoned: zeros, refused: zeros,
                times: Array(repeating: Times(), count: zeros.count * Self.routes.count)))
    }

    func begin() { state.withLock { $0.begun += 1 } }

    /// Counts a picture of an answer that has several.
    func count(_ origin: ServiceNotes.Origin?) {
        guard let origin else { return }
        state.withLock { $0.origins[origin, default: 0] += 1 }
    }

    /// Counts bytes that have been sent to a tenant; nil for a client without one.
    func countSent(_ byteCount: Int, of tenant: Int?) {
        state.withLock { $0.byteCounts[tenant ?? names.count - 1] += byteCount }
    }

    func end(_ response: ServiceResponse, milliseconds: Double) {
        let notes = response.notes
        let tenant = notes.tenantIndex ?? names.count - 1
        state.withLock { state in
            if notes.isAbandoned {
                state.abandoned[tenant] += 1
                state.begun -= 1
                return
            }
            state.begun -= 1
            state.responses[Key(tenant: tenant, route: notes.route, status: response.status), default: 0] += 1
            if response.status == 503 || response.status == 429 { state.refused[tenant] += 1 }
            // The pictures of an answer that has several are counted one by one.
            if notes.route == .thumbnail, let origin = notes.origin { state.origins[origin, default: 0] += 1 }
            state.times[tenant * Self.routes.count + notes.route.place].add(milliseconds / 1000)
        }
    }

    /// The metrics in Prometheus's text format.
    ///
    /// - Parameters:
    ///   - waiting: How many requests of each tenant wait and run.
    ///   - cachedByteCounts: The bytes that tenants have in the cache. They are not counted for a single tenant.
    func text(waiting: [Admission.Count], cachedByteCounts: [Int: Int]) -> String {
        let state = state.withLock { state in
            // A copy of the dictionary is made, so that the text is written outside the lock.
            state
        }
        var text = PrometheusText()
        text.begin("service_responses_total", "Responses, by tenant, kind of address and status.", .counter)
        let responses = state.responses.map { ($0, $1) }.sorted { one, other in
            (one.0.tenant, one.0.route.rawValue, one.0.status)
                < (other.0.tenant, other.0.route.rawValue, other.0.status)
        }
        for (key, count) in responses {
            text.value(
                "service_responses_total", count,
                of: [("tenant", names[key.tenant]), ("route", key.route.rawValue), ("status", "\(key.status)")])
        }
        func column(_ name: String, _ help: String, _ kind: PrometheusText.Kind, _ values: [Int]) {
            text.begin(name, help, kind)
            for (tenant, value) in zip(names, values) { text.value(name, value, of: [("tenant", tenant)]) }
        }
        column("service_response_bytes_total", "Bytes of bodies that were sent.", .counter, state.byteCounts)
        column("service_abandoned_total", "Requests whose clients left before the response.", .counter, state.abandoned)
        column("service_refused_total", "Requests answered by 503 or 429.", .counter, state.refused)
        column("service_waiting", "Requests that wait for a picture.", .gauge, waiting.map(\.waiting))
        column("service_running", "Requests that the manager has.", .gauge, waiting.map(\.running))
        if waiting.count > 1 {
            column(
                "service_cache_bytes", "Bytes of cached pictures, by the first tenant that they were made for.", .gauge,
                waiting.indices.map { cachedByteCounts[$0] ?? 0 })
        }
        text.begin("service_open", "Requests without a response yet.", .gauge)
        text.value("service_open", state.begun)
        text.begin("service_pictures_total", "Thumbnails, by where they came from.", .counter)
        for (origin, count) in state.origins.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text.value("service_pictures_total", count, of: [("origin", origin.rawValue)])
        }
        text.begin("service_response_seconds", "From a request to its response, or to its first bytes.", .histogram)
        for (place, times) in state.times.enumerated() where times.counts.contains(where: { $0 > 0 }) {
            let (tenant, route) = place.quotientAndRemainder(dividingBy: Self.routes.count)
            text.values(
                "service_response_seconds",
                of: [("tenant", names[tenant]), ("route", Self.routes[route].rawValue)], bounds: Self.bounds,
                counts: times.counts, sum: times.seconds)
        }
        return text.text
    }
}

extension ServiceNotes.Route {
    /// The place in `allCases`.
    fileprivate var place: Int {
        switch self {
        case .page: 0
        case .thumbnail: 1
        case .previews: 2
        case .original: 3
        case .library: 4
        case .events: 5
        case .operations: 6
        case .unknown: 7
        }
    }
}
