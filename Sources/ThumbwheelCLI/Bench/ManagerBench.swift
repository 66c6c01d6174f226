/// The image manager: what a request costs beside its render, and what happens to renders when others come or go.
struct ManagerBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() throws -> [BenchRow] {
        var rows: [BenchRow] = []
        progress.show("manager: one render for many")
        rows.append(try ManagerCoalescingBench(options).row())
        progress.show("manager: making pictures")
        let pictures = try BenchPictures(seed: options.seed)
        progress.show("manager: visible requests under prefetch")
        rows.append(try ManagerPrefetchBench(options, pictures).row())
        progress.show("manager: two workers")
        rows.append(try ManagerWorkersBench(options, pictures).row())
        for picture in pictures.stoppable {
            progress.show("manager: cancelling \(picture.name)")
            rows += try ManagerCancelBench(options, picture).rows()
        }
        return rows
    }
}
