import ThumbwheelCore

/// All alarms of a pipeline, and the time at which its owner has been asked to call `timePassed`.
struct AlarmBoard: Sendable {
    private var alarms = AlarmHeap()
    /// The time at which the owner has been asked to call `timePassed`; nil if it has not been asked.
    private var announcedWake: MonotonicTime?
    /// The time at which the owner last called `timePassed`.
    private var lastTimePassed = MonotonicTime.zero
    /// The alarm for a check of memory, set while work waits for memory that receivers hold. Receivers drop images
    /// without telling the pipeline.
    private var memoryAlarm: AlarmHeap.Alarm?

    private static let memoryInterval = Duration.seconds(1)

    mutating func add(_ purpose: AlarmHeap.Purpose, at time: MonotonicTime) -> AlarmHeap.Alarm {
        alarms.add(purpose, at: time)
    }

    mutating func remove(_ alarm: AlarmHeap.Alarm) {
        alarms.remove(alarm)
    }

    /// Notes that the owner has called `timePassed`. The owner may have called earlier than it was asked to, and may
    /// then not call a second time. So the owner is asked again for the next alarm.
    mutating func timePassed(at now: MonotonicTime) {
        announcedWake = nil
        lastTimePassed = now
    }

    /// Removes the earliest alarm, if it is due by `now`, and returns its purpose.
    mutating func takeFirst(dueBy now: MonotonicTime) -> AlarmHeap.Purpose? {
        let purpose = alarms.takeFirst(dueBy: now)
        if case .memory = purpose { memoryAlarm = nil }
        return purpose
    }

    /// Sets an alarm for a check of memory, if there is none, while work waits for memory that receivers hold
    /// (`isAwaited`). Removes the alarm if no work waits for such memory.
    mutating func watchMemory(_ isAwaited: Bool, at now: MonotonicTime) {
        if isAwaited, memoryAlarm == nil {
            memoryAlarm = alarms.add(.memory, at: now.advanced(by: Self.memoryInterval))
        } else if !isAwaited, let alarm = memoryAlarm {
            alarms.remove(alarm)
            memoryAlarm = nil
        }
    }

    /// The time at which the owner has to call `timePassed`; nil if the owner has already been asked to call then or
    /// earlier, or if there is no alarm.
    ///
    /// When the earliest alarm is removed, the owner is not told, and so calls too early. That does no harm. Such a
    /// call costs less than telling the owner of each removal, because requests come and go far more often than alarms
    /// are due.
    mutating func takeWake() -> MonotonicTime? {
        guard let earliest = alarms.earliest else { return nil }
        // An alarm that was due at the last call of `timePassed`, but was left for the next call, is due at once.
        let time = max(earliest, lastTimePassed)
        guard announcedWake.map({ time < $0 }) ?? true else { return nil }
        announcedWake = time
        return time
    }

    /// Frees the storage of the alarms if no alarm is left and the storage is large.
    ///
    /// - Returns: the number of alarms that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int { alarms.shrink() }

    /// - Parameter count: the number of deadlines, and of time limits of renders and look-ups, that should have an
    ///   alarm.
    func checkInvariants(count: Int) throws(BrokenInvariant) {
        try alarms.checkInvariants()
        try BrokenInvariant.require(
            alarms.count == count + (memoryAlarm == nil ? 0 : 1), "alarms for what is over")
    }
}
