import Thumbwheel

/// Photographs in whatever format: the help of an idle worker, and cancelling.
struct FormatsBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    private static let renderCount = 3

    func rows() throws -> [BenchRow] {
        var rows: [BenchRow] = []
        for asset in options.photographs {
            let name = asset.originalFilename
            let picture = try BenchPicture(name, bytes: try asset.resource.open().bytes())
            progress.show("formats: \(name) with an idle worker")
            rows.append(try helpedRow(picture))
            let plan = try RenderPlan(head: picture.asset.head, options: ManagerCancelBench.options)
            guard plan.isStoppable else { continue }
            progress.show("formats: cancelling \(name)")
            rows += try ManagerCancelBench(options, picture).rows()
        }
        return rows
    }

    /// One image while a second worker is idle; the peer is the same with one worker alone.
    private func helpedRow(_ picture: BenchPicture) throws -> BenchRow {
        let (two, one) = (Self.manager(workerCount: 2), Self.manager(workerCount: 1))
        try Self.render(picture, by: two)
        try Self.render(picture, by: one)
        let rounds = try Stopwatch.interleaved(rounds: options.rounds) {
            for _ in 0..<Self.renderCount { try Self.render(picture, by: two) }
        } _: {
            for _ in 0..<Self.renderCount { try Self.render(picture, by: one) }
        }
        func each(_ times: [Double]) -> [Double] { times.map { $0 / Double(Self.renderCount) } }
        return BenchRow(
            "formats.helped.\(picture.name)", unit: "milliseconds", rounds: each(rounds.one),
            operations: Self.renderCount, peer: "one worker", peerRounds: each(rounds.other))
    }

    private static func manager(workerCount: Int) -> ImageManager {
        ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = workerCount
                $0.usesEmbeddedPreviews = false
                $0.makesThumbHashes = false
                $0.keepsRenditions = false
                $0.executor = .inline
            }, recordsRenders: false)
    }

    private static func render(_ picture: BenchPicture, by manager: ImageManager) throws {
        let result = manager.requestImageSynchronously(
            for: picture.asset, targetSize: PixelSize(width: 256, height: 256), contentMode: .aspectFill,
            options: ImageRequestOptions {
                $0.deliveryMode = .highQuality
                $0.resizeMode = .exact
            })
        if case .failed(let error, _) = result { throw error }
    }
}
