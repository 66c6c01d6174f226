import ThumbwheelCore
import ThumbwheelScheduling

extension PipelineState {
    /// A job: a rendition that is being made or waits to be made. Few of many jobs run at a time, so a waiting job has
    /// no storage for a run.
    struct Job: SlotRow {
        let id: JobID
        let compactKey: CompactKey
        var work: RenderWork
        var subscribers: Subscribers
        private var activity = Rare<Activity>()
        /// The slots of the previous and the next job in the ring that links all jobs of one asset. Only `JobTable`
        /// uses them.
        var previous: Int32
        var next: Int32

        private struct Activity: Sendable {
            var run: Run?
            var lead: JobID?
            var restartCount = 0
            var isForKeeping = true
        }

        init(id: JobID, key: CompactKey, work: RenderWork, subscribers: Subscribers, ring: Int32) {
            self.id = id
            compactKey = key
            self.work = work
            self.subscribers = subscribers
            (previous, next) = (ring, ring)
        }

        /// The placeholder that fills a slot without a job.
        static let vacant = Job(id: .none, key: .vacant, work: .nothing, subscribers: Subscribers(), ring: -1)
        var isVacant: Bool { next < 0 }

        var key: RenditionKey { compactKey.key }
        var kind: RenditionKey.Kind { compactKey.form.kind }

        /// Whether the rendition is made of bytes that have to come over a network first.
        var readsRemoteBytes: Bool { work.readsRemoteBytes(for: kind) }

        /// The part of the file from which the rendition is made, if the file is not stored locally.
        var fetchSubject: FetchSubject {
            let key = key
            return FetchSubject(key.subject, work.fetchExtent(of: key))
        }

        /// The scale at which the rendition is decoded, in eighths; nil if its decode cannot be shared.
        var decodeEighths: Int? { kind == .high || kind == .fast ? work.decodeEighths : nil }

        /// Whether the decode has finer chroma than other decodes of its scale. This is so for a high-quality rendition
        /// of a JPEG that is delivered without resampling.
        var hasFineChroma: Bool { kind == .high && work.isNaturalJPEG }

        /// Whether the job's rank also depends on jobs that share its decode.
        var isInCompany: Bool { lead != nil || run.map { !$0.members.isEmpty } ?? false }

        /// The run of the job; nil while the job does not run.
        var run: Run? {
            get { activity.value?.run }
            set {
                guard newValue != nil || activity.isPresent else { return }
                activity.change(from: Activity()) { $0.run = newValue }
            }
        }

        /// Ends the run and returns it; nil if the job does not run.
        mutating func takeRun() -> Run? {
            defer { run = nil }
            return run
        }

        /// The running job whose decode also makes this job's rendition, or will make it once the decode has begun
        /// again.
        var lead: JobID? {
            get { activity.value?.lead }
            set {
                guard newValue != nil || activity.isPresent else { return }
                activity.change(from: Activity()) { $0.lead = newValue }
            }
        }

        /// The number of times that a decode for the job has begun again so that it also served jobs that came late.
        var restartCount: Int {
            get { activity.value?.restartCount ?? 0 }
            set { activity.change(from: Activity()) { $0.restartCount = newValue } }
        }

        /// Whether the rendition that the job makes may enter the cache. It may not if `forget` was called for its
        /// asset after the job was added.
        var isForKeeping: Bool {
            get { activity.value?.isForKeeping ?? true }
            set { activity.change(from: Activity()) { $0.isForKeeping = newValue } }
        }

        /// Whether the job runs, or waits for a running decode that also makes its rendition.
        var isUnderWay: Bool { run != nil || lead != nil }

        struct Run: Sendable {
            let token: CancellationToken
            let reservation: Reservation
            let start: MonotonicTime
            let renderNumber: UInt64
            let worker: Int
            var alarm: AlarmHeap.Alarm
            /// The run's decode, if other renditions could share it; nil if they could not, or if nothing is decoded.
            let decode: SharedDecode?
            let source: RenderSource
            /// The jobs that are parked during the run. The run makes the renditions of `companions` along with its
            /// own. The renditions of `latecomers` will be made once the decode has begun again.
            let companions: [JobID]
            var latecomers: [JobID] = []
            /// Whether the run has taken longer than it may, and is to stop. It has then failed, however it ends.
            var isOverdue = false

            /// All jobs that wait for the run, besides the job that runs.
            var members: [JobID] { companions + latecomers }
        }
    }
}
