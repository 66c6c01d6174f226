/// A part of the library that `thumbwheel bench` measures. A new group is a new case and a type of its own.
enum BenchGroup: String, CaseIterable {
    case scheduler, cache, hits, assets, manager, render, store, eviction, redis, videos, isolation, service, formats
    case imports = "import"

    /// The groups that are measured if none is named: all but the one that takes many minutes. With photographs,
    /// `redis` also renders them, on eight servers and while Redis fails.
    static var usual: [BenchGroup] { allCases.filter { $0 != .eviction } }

    func rows(_ options: BenchOptions, progress: ProgressLine) async throws -> [BenchRow] {
        switch self {
        case .scheduler: try SchedulerBench(options, progress: progress).rows()
        case .cache:
            try CacheBench(options, progress: progress).rows()
                + (options.photographs.isEmpty ? [] : PackingBench(options, progress: progress).rows())
        case .hits: try ManagerCachedBench(options).rows()
        case .assets: try await AssetsBench(options, progress: progress).rows()
        case .manager: try ManagerBench(options, progress: progress).rows()
        case .render: try RenderBench(options, progress: progress).rows()
        case .store: try StoreBench(options, progress: progress).rows()
        case .eviction: EvictionBench(options, progress: progress).rows()
        case .redis: try await RedisBench(options, progress: progress).rows()
        case .service: try await ServiceBench(options, progress: progress).rows()
        case .isolation: try IsolationBench(options, progress: progress).rows()
        case .videos:
            try await VideoHeadBench(options, progress: progress).rows()
                + PosterBench(options, progress: progress).rows()
                + PosterCancelBench(options, progress: progress).rows()
                + ExportBench(options, progress: progress).rows()
        case .formats: try FormatsBench(options, progress: progress).rows()
        case .imports:
            options.photographs.isEmpty ? [] : try await ImportBench(options, progress: progress).rows()
        }
    }
}
