import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelServer
import ThumbwheelService

/// The service: thumbnails over the loopback interface, from the cache and made for each request, and lists of a large library.
/// Clients and server share the machine.
struct ServiceBench {
    private static let threadCount = 4
    private static let connectionCount = 64
    private static let cachedCount = 20_000
    private static let madeCount = 128
    private static let pictureCount = 32
    private static let listCount = 50_000

    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        (self.options, self.progress) = (options, progress)
    }

    func rows() async throws -> [BenchRow] {
        progress.show("service: thumbnails")
        let rows = try await thumbnails()
        progress.show("service: lists")
        return try await rows + lists()
    }

    private func manager() throws -> ImageManager {
        try ImageManager(configuration: ImageManager.Configuration { $0.watchesMemory = false })
    }

    // MARK: Thumbnails

    private func thumbnails() async throws -> [BenchRow] {
        let picture = try BenchPictures(seed: options.seed).small.asset
        let library = PhotoLibrary()
        await library.add(
            (0..<Self.pictureCount).map { number in
                Asset(
                    identifier: AssetIdentifier(high: options.seed, low: UInt64(number)), head: picture.head,
                    resource: picture.resource, fileSize: picture.fileSize, originalFilename: "\(number).jpg")
            })
        let manager = try manager()
        let handler = ServiceHandler(library: library, manager: manager)
        let server = try ServiceServer(handler: handler, configuration: ServiceServer.Configuration { $0.port = 0 })
        let addresses = try await Self.addresses(handler)
        let cached = addresses.map { $0 + "/256x256.jpg" }
        for target in cached { _ = await handler.response(to: ServiceRequest(target: target)) }
        var (speeds, p99, made): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<options.rounds {
            let targets = (0..<Self.cachedCount).map { cached[$0 % cached.count] }
            speeds.append(Double(targets.count) / (try Self.milliseconds(targets, server.port) / 1000))
            p99.append(try Self.percentile(cached, server.port))
            // Crops that nobody has asked for before.
            let new = (0..<Self.madeCount).map { number in
                let (left, top) = (number % 16, number / 16 % 8)
                return addresses[number % addresses.count]
                    + "/256x256.jpg?crop=\(Double(left) / 32),\(Double(top) / 16),0.5,\(Double(8 - round % 8) / 16)"
            }
            made.append(Double(new.count) / (try Self.milliseconds(new, server.port) / 1000))
        }
        await server.stop()
        await manager.shutdown(graceful: false)
        return [
            BenchRow("service.cached", unit: "requests a second", rounds: speeds, operations: Self.cachedCount),
            BenchRow("service.cached.p99", unit: "microseconds", rounds: p99, operations: 2000),
            BenchRow("service.made", unit: "requests a second", rounds: made, operations: Self.madeCount),
        ]
    }

    /// The time that all targets take over many connections.
    private static func milliseconds(_ targets: [String], _ port: Int) throws -> Double {
        let failure = Mutex<(any Error)?>(nil)
        let time = Stopwatch.milliseconds {
            DispatchQueue.concurrentPerform(iterations: threadCount) { thread in
                do {
                    let own = stride(from: thread, to: targets.count, by: threadCount).map { targets[$0] }
                    let width = min(own.count, connectionCount / threadCount)
                    let connections = try (0..<width).map { _ in try BenchConnection(port: port) }
                    for (connection, target) in zip(connections, own) { try connection.send(target) }
                    // Each connection has its next request as soon as its answer is read.
                    for index in own.indices {
                        let connection = connections[index % width]
                        try connection.receive()
                        if index + width < own.count { try connection.send(own[index + width]) }
                    }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }.time
        if let failure = failure.withLock({ $0 }) { throw failure }
        return time
    }

    /// The 99th percentile of one request after another, in microseconds.
    private static func percentile(_ targets: [String], _ port: Int) throws -> Double {
        let connection = try BenchConnection(port: port)
        let times = try (0..<2000).map { number in
            try Stopwatch.milliseconds {
                try connection.send(targets[number % targets.count])
                try connection.receive()
            }.time * 1000
        }
        return times.sorted()[times.count * 99 / 100]
    }

    /// The addresses of a handler's photographs, read from the grid as a page reads them.
    private static func addresses(_ handler: ServiceHandler) async throws -> [String] {
        let response = await handler.response(to: ServiceRequest(target: "/api/grid"))
        guard case .bytes(let grid) = response.body, grid.count > 12 else { throw BenchError("there is no grid") }
        func number(_ start: Int) -> Int { (0..<4).reduce(0) { $0 | Int(grid[start + $1]) << (8 * $1) } }
        func text(_ bytes: ArraySlice<UInt8>) -> String {
            Data(bytes).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let (count, names) = (number(4), 12 + 8 * number(8))
        let versions = names + 16 * count
        return (0..<count).map { index in
            "/a/" + text(grid[names + 16 * index..<names + 16 * (index + 1)]) + "/"
                + text(grid[versions + 6 * index..<versions + 6 * (index + 1)])
        }
    }

    // MARK: Lists

    private func lists() async throws -> [BenchRow] {
        let count = min(Self.listCount, options.assetCount)
        let library = try SyntheticLibrary(count: count, seed: options.seed).library(albumCount: 20).library
        let manager = try manager()
        var rows: [BenchRow] = []
        for (name, target) in [("grid", "/api/grid"), ("albums", "/api/albums")] {
            var (made, kept): ([Double], [Double]) = ([], [])
            var byteCount = 0
            for _ in 0..<options.rounds {
                // What one handler keeps, another one has to make.
                let handler = ServiceHandler(library: library, manager: manager)
                let request = ServiceRequest(target: target, fields: ["accept-encoding": "gzip"])
                let first = await Stopwatch.asyncMilliseconds { await handler.response(to: request) }
                made.append(first.time)
                byteCount = first.value.body.byteCount ?? 0
                kept.append(await Stopwatch.asyncMilliseconds { await handler.response(to: request) }.time * 1000)
            }
            rows += [
                BenchRow("service.\(name).made", unit: "milliseconds", rounds: made),
                BenchRow("service.\(name).kept", unit: "microseconds", rounds: kept),
                BenchRow(
                    "service.\(name).bytes", unit: "bytes an asset",
                    rounds: [Double(byteCount) / Double(max(1, count))]),
            ]
        }
        await manager.shutdown(graceful: false)
        return rows
    }
}
