import ThumbwheelCore
import ThumbwheelScheduling

/// The search for one rendition in one tier.
struct LookUp: Sendable {
    let id: LookUpID
    /// The job that waits for the answer; nil if it does not wait any more.
    var job: JobID?
    /// The run of the look-up; nil while it waits for its turn.
    var run: Run?

    struct Run: Sendable {
        let start: MonotonicTime
        /// The part of the budget that pays for the rendition, should it be found.
        var reservation: Reservation
        /// The alarm that rings when the look-up hangs; nil once it has rung.
        var alarm: AlarmHeap.Alarm?
    }

    /// Whether the look-up has run for longer than its tier may take.
    var isHanging: Bool { run.map { $0.alarm == nil } ?? false }
}
