import Thumbwheel
import ThumbwheelReplay

extension PhotographSet {
    /// How long it may take without a word.
    private static let patience = Duration.seconds(1)

    /// Those of `assets`, whose files can be opened still.
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
