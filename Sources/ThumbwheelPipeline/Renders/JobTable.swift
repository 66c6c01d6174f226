import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

/// The jobs of all renditions that are being made or wait to be made. A job is found by its identifier, its key or its
/// asset.
///
/// The table is a plain value. Finding, adding and removing a job take constant time on average, whatever the number of
/// jobs.
struct JobTable: Sendable {
    typealias Job = PipelineState.Job

    private var rows = SlotPages<Job>()
    /// An index of jobs by their keys. It leaves out jobs that are the only one of their asset, because these are found
    /// by the asset.
    private var keys = SlotIndex()
    /// The first job of each asset, found by the asset. The jobs of an asset are linked in a ring (a circular list), in
    /// the order in which they were added.
    private var assets = SlotIndex()
    private var forms = RenditionForms()
    private var predictions = RenderPredictions()

    var count: Int { rows.count }
    var isEmpty: Bool { count == 0 }
    /// The number of jobs that the storage has room for.
    var capacity: Int { rows.capacity }
    /// All jobs, in the order of their slots (their places in the table).
    var values: some Sequence<Job> { rows.values }

    /// The job with an identifier, to read or to change. Jobs are added by `insert` and removed by `remove`.
    ///
    /// - Precondition: the job is in the table.
    subscript(id: JobID) -> Job {
        @inline(__always) _read { yield rows[id.slot] }
        @inline(__always) _modify { yield &rows[id.slot] }
    }

    /// Whether a job is in the table. A job is in the table from `insert` to `remove`, while it waits and while it
    /// runs.
    func contains(_ id: JobID) -> Bool { rows.contains(id.slot) && rows[id.slot].id == id }

    subscript(key: RenditionKey) -> JobID? {
        guard let first = firstJob(of: key.subject.asset) else { return nil }
        guard hasSiblings(rows[first]) else { return rows[first].compactKey.matches(key) ? rows[first].id : nil }
        return keys.first(hash: key.hashValue) {
            rows[$0].compactKey.matches(key) && rows[$0].assetIdentifier == key.subject.asset
        }.map { rows[$0].id }
    }

    /// The jobs of an asset, in the order in which they were added.
    func jobs(of asset: AssetIdentifier) -> [JobID] {
        guard let first = firstJob(of: asset) else { return [] }
        var jobs: [JobID] = []
        var slot = first
        repeat {
            jobs.append(rows[slot].id)
            slot = Int(rows[slot].next)
        } while slot != first
        return jobs
    }

    /// Whether the job's asset has another job. Only then is the job in the index `keys`.
    func hasSiblings(_ job: Job) -> Bool { Int(job.next) != job.id.slot }

    /// - Precondition: there is no job for the key, and the work is for the key's asset.
    mutating func insert(_ id: JobID, for key: RenditionKey, work: RenderWork, subscribers: Subscribers) {
        let slot = Int32(truncatingIfNeeded: id.slot)
        var job = Job(
            id: id, key: CompactKey(key, in: forms.form(of: key)),
            work: RenderWork(asset: work.asset, predictions.shared(work.prediction)),
            subscribers: subscribers, ring: slot)
        if let first = firstJob(of: key.subject.asset) {
            if !hasSiblings(rows[first]) { keys.insert(first, hash: rows[first].key.hashValue) }
            keys.insert(id.slot, hash: key.hashValue)
            let last = Int(rows[first].previous)
            (job.previous, job.next) = (Int32(last), Int32(first))
            rows[last].next = slot
            rows[first].previous = slot
            rows.insert(job, at: id.slot)
        } else {
            rows.insert(job, at: id.slot)
            let hash = key.subject.asset.hashValue
            assets.insert(id.slot, hash: hash)
        }
    }

    /// - Precondition: the job is in the table.
    mutating func remove(_ id: JobID) {
        let job = rows[id.slot]
        let asset = job.assetIdentifier
        if !hasSiblings(job) {
            assets.remove(id.slot, hash: asset.hashValue)
        } else {
            let (previous, next) = (Int(job.previous), Int(job.next))
            keys.remove(id.slot, hash: job.key.hashValue)
            if previous == next { keys.remove(next, hash: rows[next].key.hashValue) }
            if firstJob(of: asset) == id.slot { assets.replace(id.slot, by: next, hash: asset.hashValue) }
            rows[previous].next = job.next
            rows[next].previous = job.previous
        }
        rows.remove(at: id.slot)
    }

    private func firstJob(of asset: AssetIdentifier) -> Int? {
        assets.first(hash: asset.hashValue) { rows[$0].assetIdentifier == asset }
    }

    /// Throws if the parts of the table contradict one another.
    func checkInvariants() throws(BrokenInvariant) {
        try BrokenInvariant.require(
            keys.count == rows.values.count { hasSiblings($0) }, "a key that leads nowhere")
        var ringCount = 0
        for job in rows.values {
            try BrokenInvariant.require(self[job.key] == job.id, "a job that its key does not lead to")
            let (previous, next) = (rows[Int(job.previous)], rows[Int(job.next)])
            try BrokenInvariant.require(
                previous.next == Int32(job.id.slot) && next.previous == Int32(job.id.slot)
                    && next.assetIdentifier == job.assetIdentifier, "a job that is not in the ring of its asset's")
            if firstJob(of: job.assetIdentifier) == job.id.slot { ringCount += 1 }
        }
        try BrokenInvariant.require(ringCount == assets.count, "an asset without jobs")
    }
}
