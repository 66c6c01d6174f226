import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

extension PipelineState {
    /// The table row of a job, which makes one rendition. Far more jobs wait than run, so the properties of a running
    /// job are stored elsewhere.
    ///
    /// Hundreds of thousands of jobs may wait, so the properties are in the order in which they take the fewest bytes.
    struct Job: SlotRow {
        private let asset: Asset
        /// The slot of the next job in the ring that links all jobs of one asset. Only `JobTable` uses it.
        var next: Int32
        var subscribers: Subscribers
        /// The slot of the previous job in the ring that links all jobs of one asset.
        var previous: Int32
        let id: JobID
        let compactKey: CompactKey
        private var progress: Progress

        /// The predicted cost of a job and, in the case `active`, also the properties that few jobs have, such as the
        /// facts about a run. A new job is `waiting`. It becomes `active` when one of these properties is set for the
        /// first time. Each case holds a single reference, so that the enum takes only one word of memory.
        private enum Progress: Sendable {
            case waiting(RenderPrediction)
            /// An array whose only element is the activity. The array takes only one word in the row, because its
            /// element is stored outside the row. As long as no copy of the row shares the array, it is changed in
            /// place.
            case active([Activity])
        }

        private struct Activity: Sendable {
            var prediction: RenderPrediction
            var run: Run?
            var lead: JobID?
            var restartCount = 0
            var mayBeCached = true
        }

        /// Makes a job that waits.
        ///
        /// - Parameters:
        ///   - key: the key of the rendition, whose asset is that of `work`.
        ///   - ring: the slot of the job itself. The jobs of an asset are linked in a ring (a circular list), and the
        ///     new job is at first a ring of its own.
        init(id: JobID, key: CompactKey, work: RenderWork, subscribers: Subscribers, ring: Int32) {
            self.id = id
            compactKey = key
            asset = work.asset
            progress = .waiting(work.prediction)
            self.subscribers = subscribers
            (previous, next) = (ring, ring)
        }

        /// The placeholder that fills a slot without a job.
        static let vacant = Job(id: .none, key: .vacant, work: .nothing, subscribers: Subscribers(), ring: -1)
        var isVacant: Bool { next < 0 }

        var work: RenderWork { RenderWork(asset: asset, prediction) }

        /// The asset that the rendition shows.
        var assetIdentifier: AssetIdentifier { asset.identifier }

        private var prediction: RenderPrediction {
            switch progress {
            case .waiting(let prediction): prediction
            case .active(let activities): activities[0].prediction
            }
        }

        /// The properties that few jobs have, such as a run; nil if none of them has been set.
        private var activity: Activity? {
            if case .active(let activities) = progress { activities[0] } else { nil }
        }

        /// Makes the job use the whole file from now on, and not only ranges of it.
        mutating func fetchWhole() {
            let whole = prediction.fetchingWhole
            if activity == nil { progress = .waiting(whole) } else { changeActivity { $0.prediction = whole } }
        }

        private mutating func changeActivity(_ body: (inout Activity) -> Void) {
            var activities =
                switch progress {
                case .waiting(let prediction): [Activity(prediction: prediction)]
                case .active(let activities): activities
                }
            // Puts a placeholder into `progress` while the array `activities` is changed. If `progress` still referred
            // to the array, the change would copy the array.
            progress = .waiting(activities[0].prediction)
            body(&activities[0])
            progress = .active(activities)
        }

        var key: RenditionKey { compactKey.key(of: assetIdentifier) }
        var kind: RenditionKey.Kind { compactKey.form.kind }

        /// Whether the rendition is made from bytes that have to come over a network first.
        var readsRemoteBytes: Bool { work.readsRemoteBytes(for: kind) }

        /// The part of the file that has to be fetched for the rendition, if the file is not stored locally.
        var filePart: FilePart {
            let key = key
            return FilePart(key.subject, work.fetchExtent(of: key))
        }

        /// The scale at which the rendition is decoded, in eighths; nil if its decode cannot be shared.
        var decodeEighths: Int? { kind == .high || kind == .fast ? work.decodeEighths : nil }

        /// Whether chroma has to be decoded at the resolution of luma. True for a high-quality rendition that is
        /// delivered exactly as the JPEG decoder outputs it, at half the full size or less. (The decoder itself can
        /// reduce the size.) For other high-quality renditions, chroma may have half the resolution of luma.
        var hasFineChroma: Bool { kind == .high && work.isNaturalJPEG }

        /// Whether other jobs share this job's decode, so that this job's rank (place in the order of work) also
        /// depends on theirs.
        var sharesDecode: Bool { lead != nil || run.map { !$0.members.isEmpty } ?? false }

        /// The facts about the job while it runs on a worker; nil while it does not run.
        var run: Run? {
            get { activity?.run }
            set {
                guard newValue != nil || activity != nil else { return }
                changeActivity { $0.run = newValue }
            }
        }

        /// Removes and returns the facts about the job's run; nil if the job does not run.
        mutating func takeRun() -> Run? {
            defer { run = nil }
            return run
        }

        /// The running job whose decode also makes this job's rendition; nil if there is none. If this job has joined
        /// after the decode had begun, the decode is started again.
        var lead: JobID? {
            get { activity?.lead }
            set {
                guard newValue != nil || activity != nil else { return }
                changeActivity { $0.lead = newValue }
            }
        }

        /// The number of times that a decode for this job has been restarted to also make the renditions of jobs that
        /// were added after its start.
        var restartCount: Int {
            get { activity?.restartCount ?? 0 }
            set { changeActivity { $0.restartCount = newValue } }
        }

        /// Whether the rendition that the job makes may enter the cache. It may not if `forget` was called for its
        /// asset after the job was added.
        var mayBeCached: Bool {
            get { activity?.mayBeCached ?? true }
            set { changeActivity { $0.mayBeCached = newValue } }
        }

        /// Whether the job runs, or waits for a running decode that also makes its rendition. A request for such a job
        /// is the last to be ended when too many requests wait.
        var isUnderWay: Bool { run != nil || lead != nil }

        struct Run: Sendable {
            let token: CancellationToken
            let reservation: Reservation
            let start: MonotonicTime
            let renderNumber: UInt64
            let worker: Int
            var alarm: AlarmHeap.Alarm
            /// The run's decode, if other renditions can share it; nil if they cannot share it, or if nothing is
            /// decoded.
            let decode: SharedDecode?
            let source: RenderSource
            /// The other jobs whose renditions this run makes together with its own. They wait until the run ends.
            let companions: [JobID]
            /// The jobs that joined the run after its decode had begun. The decode is restarted to make their
            /// renditions as well.
            var latecomers: [JobID] = []
            /// Whether the run has taken longer than the time limit. Such a run is told to stop. If it stops, is
            /// abandoned, or needs more bytes, it counts as failed. If it ends with an image all the same, the image is
            /// used.
            var isOverdue = false

            /// The jobs that wait for this run to make their renditions: those that shared its decode from the start,
            /// and those that joined after the start. The job for which the run was started is not among them.
            var members: [JobID] { companions + latecomers }
        }
    }
}
