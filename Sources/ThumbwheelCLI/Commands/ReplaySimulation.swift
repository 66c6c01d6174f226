import ThumbwheelReplay

/// The replay that a command line asks for, on the virtual clock: machines and assets are numbers.
struct ReplaySimulation: Sendable {
    let arguments: ReplayArguments
    let assetCount: Int

    func runs(progress: ProgressLine) -> [ReplayRun] {
        runs(settings: arguments.settings, viewerCount: arguments.viewerCount) { strategy, fraction in
            progress.show("replaying \(strategy.rawValue): \(Int(fraction * 100)) %")
        }
    }

    func play(_ sweep: SweptValues, _ progress: ProgressLine) -> ReplaySweep {
        ReplaySweep(sweep.key, values: sweep.values) { count in
            progress.show("sweeping \(sweep.key.rawValue): \(count) of \(sweep.values.count)")
        } play: { value in
            var settings = arguments.settings
            settings.recordsEvents = false
            var viewerCount = arguments.viewerCount
            switch sweep.key {
            case .budget: settings.budget = value
            case .workers: settings.workerCount = value
            case .viewers: viewerCount = value
            }
            return runs(settings: settings, viewerCount: viewerCount) { _, _ in }
        }
    }

    private func runs(
        settings: ReplaySettings, viewerCount: Int, progress: (ReplayStrategy, Double) -> Void
    ) -> [ReplayRun] {
        let traces = (0..<viewerCount).map { arguments.trace(ofViewer: $0, assetCount: assetCount) }
        let player = VirtualPlayer(settings: settings, assetCount: assetCount, costs: arguments.costs)
        return arguments.strategies.map { strategy in
            player.play(traces, strategy: strategy, scenario: arguments.scenario, seed: arguments.seed) {
                progress(strategy, $0)
            }
        }
    }
}
