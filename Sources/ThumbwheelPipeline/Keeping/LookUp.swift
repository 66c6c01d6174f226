import ThumbwheelCore
import ThumbwheelScheduling

/// The search for one rendition in one storage tier (a store outside memory).
struct LookUp: Sendable {
    let id: LookUpID
    /// The render job that waits for the answer; nil if no job waits for it any more.
    var job: JobID?
    /// The facts about the look-up while the tier is searching; nil while the look-up waits for its turn.
    var run: Run?

    struct Run: Sendable {
        let start: MonotonicTime
        /// The part of the memory budget that is reserved for the rendition, in case it is found.
        var reservation: Reservation
        /// The alarm for the end of the time that the look-up may take; nil once it has rung.
        var alarm: AlarmHeap.Alarm?
    }

    /// Whether the look-up has run for longer than `StorageTier.timeoutMilliseconds`.
    var hasTimedOut: Bool { run.map { $0.alarm == nil } ?? false }
}
