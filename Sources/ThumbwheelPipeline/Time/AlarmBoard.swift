import ThumbwheelCore

/// All that is to happen at a time: the alarms, and when the owner has been asked to call.
struct AlarmBoard: Sendable {
    private var alarms = AlarmHeap()
    /// When the owner is going to call `timePassed`.
    private var announcedWake: MonotonicTime?
    /// When the owner last called `timePassed`.
    private var lastTimePassed = MonotonicTime.zero
    /// Set while something waits for memory that receivers hold: they release it without telling the pipeline.
    private var memoryAlarm: AlarmHeap.Alarm?

    private static let memoryInterval = Duration.seconds(1)

    mutating func add(_ purpose: AlarmHeap.Purpose, at time: MonotonicTime) -> AlarmHeap.Alarm {
        alarms.add(purpose, at: time)
    }

    mutating func remove(_ alarm: AlarmHeap.Alarm) {
        alarms.remove(alarm)
    }

    /// The owner has called at `now`: it may have forgotten an earlier wake for this one, so it is told again.
    mutating func timePassed(at now: MonotonicTime) {
        announcedWake = nil
        lastTimePassed = now
    }

    /// Removes the earliest alarm, if it is due by `now`.
    mutating func takeFirst(dueBy now: MonotonicTime) -> AlarmHeap.Purpose? {
        let purpose = alarms.takeFirst(dueBy: now)
        if case .memory = purpose { memoryAlarm = nil }
        return purpose
    }

    /// Sets an alarm that checks for memory, again and again, while something waits for memory that receivers hold.
    mutating func watchMemory(_ isAwaited: Bool, at now: MonotonicTime) {
        if isAwaited, memoryAlarm == nil {
            memoryAlarm = alarms.add(.memory, at: now.advanced(by: Self.memoryInterval))
        } else if !isAwaited, let alarm = memoryAlarm {
            alarms.remove(alarm)
            memoryAlarm = nil
        }
    }

    /// When the owner is to call `timePassed`, if that is earlier than it has been told before.
    ///
    /// A wake that comes too early does no harm, so that nothing is said where the earliest alarm is gone: requests come and
    /// go far more often than alarms are due.
    mutating func takeWake() -> MonotonicTime? {
        guard let earliest = alarms.earliest else { return nil }
        // Alarms that were due at the last call, and left for the next, are due now.
        let time = max(earliest, lastTimePassed)
        guard announcedWake.map({ time < $0 }) ?? true else { return nil }
        announcedWake = time
        return time
    }

    /// Frees the storage that many alarms took, once none is left.
    ///
    /// - Returns: the number of alarms that the storage was for.
    mutating func shrink() -> Int { alarms.shrink() }

    /// - Parameter count: how many deadlines and time limits have an alarm.
    func checkInvariants(count: Int) throws(BrokenInvariant) {
        try alarms.checkInvariants()
        try BrokenInvariant.require(
            alarms.count == count + (memoryAlarm == nil ? 0 : 1), "alarms for what is over")
    }
}
