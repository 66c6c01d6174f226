import ThumbwheelCore
import ThumbwheelScheduling

extension PipelineState {
    /// A rendition being made, or waiting to be. Few of many jobs run at a time, so a waiting job keeps no room for a run.
    struct Job: SlotRow {
        let id: JobID
        let compactKey: CompactKey
        let work: RenderWork
        var subscribers: Subscribers
        private var activity = Rare<Activity>()
        /// The neighbours in the ring of its asset's jobs: a matter of the table's.
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

        /// No job.
        static let vacant = Job(id: .none, key: .vacant, work: .nothing, subscribers: Subscribers(), ring: -1)
        var isVacant: Bool { next < 0 }

        var key: RenditionKey { compactKey.key }
        var kind: RenditionKey.Kind { compactKey.form.kind }

        /// Whether it is made of a file that has to come over a network first. Previews are made of local bytes only.
        var readsRemoteBytes: Bool { work.readsRemoteBytes(for: kind) }

        /// The scale at which the rendition is decoded, in eighths; nil where that is no decode to be shared.
        var decodeEighths: Int? { kind == .high || kind == .fast ? work.decodeEighths : nil }

        /// Whether the decode has finer chroma than others of its scale: one that is delivered as it is has, at high quality.
        var hasFineChroma: Bool { kind == .high && work.isNaturalJPEG }

        /// Whether its rank also depends on jobs that share its decode.
        var isInCompany: Bool { lead != nil || run.map { !$0.members.isEmpty } ?? false }

        /// Set while the job runs.
        var run: Run? {
            get { activity.value?.run }
            set {
                guard newValue != nil || activity.isPresent else { return }
                activity.change(from: Activity()) { $0.run = newValue }
            }
        }

        /// Ends the run; nil if the job does not run.
        mutating func takeRun() -> Run? {
            defer { run = nil }
            return run
        }

        /// The running job whose decode this one's rendition is made of as well, or will be when that begins again.
        var lead: JobID? {
            get { activity.value?.lead }
            set {
                guard newValue != nil || activity.isPresent else { return }
                activity.change(from: Activity()) { $0.lead = newValue }
            }
        }

        /// How often a decode for the job has begun again for others that came late.
        var restartCount: Int {
            get { activity.value?.restartCount ?? 0 }
            set { activity.change(from: Activity()) { $0.restartCount = newValue } }
        }

        /// Whether what it makes may be kept: not where the asset has been forgotten since.
        var isForKeeping: Bool {
            get { activity.value?.isForKeeping ?? true }
            set { activity.change(from: Activity()) { $0.isForKeeping = newValue } }
        }

        /// Whether a decode runs for it.
        var isUnderWay: Bool { run != nil || lead != nil }

        struct Run: Sendable {
            let token: CancellationToken
            let reservation: Reservation
            let start: MonotonicTime
            let renderNumber: UInt64
            let worker: Int
            var alarm: AlarmHeap.Alarm
            /// What the decode is shared by; nil where there is none to share.
            let decode: SharedDecode?
            let source: RenderSource
            /// Parked for as long as this runs: what is made along with its own rendition, and what will be when it has
            /// begun again.
            let companions: [JobID]
            var latecomers: [JobID] = []
            /// Whether it has run for longer than it may, and stops: then it has failed, however it ends.
            var isOverdue = false

            /// All that waits for it besides its own job.
            var members: [JobID] { companions + latecomers }
        }
    }
}
