/// The requests that may run: at most so many at once to each server, in the order in which they came.
///
/// libcurl has such a limit too, but one queue for all servers: requests to a server that has stalled would hold up those to all
/// others.
struct OriginTurns<Request: AnyObject> {
    private struct Line {
        var runningCount = 0
        var waiting: [Request] = []
    }

    private let limit: Int
    private var lines: [HTTPOrigin: Line] = [:]

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Whether no request runs or waits.
    var isEmpty: Bool { lines.isEmpty }

    /// - Returns: whether the request may run at once. Otherwise it waits for `end` to return it.
    mutating func begin(_ request: Request, to origin: HTTPOrigin) -> Bool {
        let mayRun = lines[origin, default: Line()].runningCount < limit
        if mayRun {
            lines[origin, default: Line()].runningCount += 1
        } else {
            lines[origin, default: Line()].waiting.append(request)
        }
        return mayRun
    }

    /// Ends a request that ran.
    ///
    /// - Returns: the next request to the same server, which runs from now on.
    mutating func end(to origin: HTTPOrigin) -> Request? {
        guard var line = lines[origin] else { return nil }
        let next = line.waiting.isEmpty ? nil : line.waiting.removeFirst()
        if next == nil { line.runningCount -= 1 }
        lines[origin] = line.runningCount == 0 ? nil : line
        return next
    }

    /// Removes requests that wait.
    mutating func removeWaiting(where isRemoved: (Request) -> Bool) {
        for origin in lines.keys { lines[origin]?.waiting.removeAll(where: isRemoved) }
    }

    /// Removes all requests, and returns those that waited.
    mutating func removeAll() -> [Request] {
        defer { lines = [:] }
        return lines.values.flatMap(\.waiting)
    }
}
