import Thumbwheel
import ThumbwheelReplay

extension PhotographSet {
    /// The time that the reading may take before it reports progress.
    private static let patience = Duration.seconds(1)

    /// The set of those of `assets` whose files can still be opened.
    init(of assets: [Asset], progress: ProgressLine) throws(CommandError) {
        let start = ContinuousClock.now
        defer { progress.clear() }
        do throws(ByteSourceError) {
            try self.init(outlining: assets.lazy.compactMap { try? $0.resource.open() }) { count in
                guard ContinuousClock.now - start > Self.patience else { return }
                progress.show("telling photographs apart: \(count) of \(assets.count)")
            }
        } catch {
            throw CommandError("a photograph became unreadable: \(error)")
        }
    }
}
