import ThumbwheelCore

/// All alarms of a pipeline, and the time at which its owner has been asked to call.
struct AlarmBoard: Sendable {
    private var alarms = AlarmHeap()
    /// The time at which the owner has been asked to call `timePassed`; nil if it has not been asked.
    private var announcedWake: MonotonicTime?
    /// The time at which the owner last called `timePassed`.
    private var lastTimePassed = MonotonicTime.zero
    /// The alarm for a check of memory, set while work waits for memory that receivers hold. Receivers release that memory
    /// without telling the pipeline.
    private var memoryAlarm: AlarmHeap.Alarm?

    private static let memoryInterval = Duration.seconds(1)

    mutating func add(_ purpose: AlarmHeap.Purpose, at time: MonotonicTime) -> AlarmHeap.Alarm {
        alarms.add(purpose, at: time)
    }

    mutating func remove(_ alarm: AlarmHeap.Alarm) {
        alarms.remove(alarm)
    }

    /// Notes that the owner has called at `now`. With this wake, the owner may have forgotten an earlier one that it was asked
    /// for, so it will be asked again.
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

    /// Sets an alarm for a check of memory, again and again, while work waits for memory that receivers hold.
    mutating func watchMemory(_ isAwaited: Bool, at now: MonotonicTime) {
        if isAwaited, memoryAlarm == nil {
            memoryAlarm = alarms.add(.memory, at: now.advanced(by: Self.memoryInterval))
        } else if !isAwaited, let alarm = memoryAlarm {
            alarms.remove(alarm)
            memoryAlarm = nil
        }
    }

    /// The time at which the owner has to call `timePassed`; nil if that is no earlier than the owner has been told before.
    ///
    /// The owner is told nothing when the earliest alarm is removed: a wake that comes too early does no harm, and requests
    /// come and go far more often than alarms are due.
    mutating func takeWake() -> MonotonicTime? {
        guard let earliest = alarms.earliest else { return nil }
        // Alarms that were due at the last call of `timePassed`, but were left for the next call, are due now.
        let time = max(earliest, lastTimePassed)
        guard announcedWake.map({ time < $0 }) ?? true else { return nil }
        announcedWake = time
        return time
    }

    /// Frees the storage that many alarms took, once no alarm is left.
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
