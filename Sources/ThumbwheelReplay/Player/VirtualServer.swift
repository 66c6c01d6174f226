import Thumbwheel

/// One process of a virtual run: a pipeline with its workers, its cache and its budget.
struct VirtualServer {
    var pipeline: PipelineState
    /// The store on the server's disk, which outlives the process; nil if there is none.
    var disk: VirtualDisk?
    /// The index of the viewer that each live request belongs to.
    var owners: [ImageRequestID: Int] = [:]
    /// The time at which the pipeline wants to be told the time; nil if it has not asked.
    var wake: MonotonicTime?
    /// What is added to the numbers of the process's renders, so that no two processes of a run have the same.
    var firstRenderNumber: UInt64

    /// The most renders that a process makes, which keeps their numbers apart.
    private static let renderNumberCount: UInt64 = 1 << 40

    /// - Parameter process: the number of the process among all of the run.
    init(_ pipeline: PipelineState, disk: VirtualDisk?, process: Int) {
        self.pipeline = pipeline
        self.disk = disk
        firstRenderNumber = UInt64(process) * Self.renderNumberCount
    }

    /// Takes the records of all renders that have ended, with numbers that no other process has.
    mutating func takeRenderRecords() -> [RenderRecord] {
        var records = pipeline.takeRenderRecords()
        guard firstRenderNumber > 0 else { return records }
        for index in records.indices { records[index].renderNumber += firstRenderNumber }
        return records
    }
}
