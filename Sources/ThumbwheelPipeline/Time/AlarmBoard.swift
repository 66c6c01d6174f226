import ThumbwheelCore

/// All alarms of a pipeline. The board also knows at which time the pipeline's owner has to call `timePassed` next.
struct AlarmBoard: Sendable {
    private var alarms = AlarmHeap()
    /// The time that `takeWake` returned last. At this time, the pipeline's owner has to call `timePassed`. Nil if the
    /// owner has called `timePassed` since `takeWake` returned the time.
    private var announcedWake: MonotonicTime?
    /// The time at which the pipeline's owner last called `timePassed`.
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

    /// Records that the pipeline's owner has called `timePassed`. From now on, `takeWake` reports the time of the next
    /// alarm, even if it has reported that time before: an owner that calls too early may not remember the reported
    /// time any more.
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

    /// Makes sure that an alarm for a check of memory is set if `isAwaited` is true, and that none is set if it is
    /// false.
    ///
    /// - Parameter isAwaited: whether work waits for memory that receivers hold.
    mutating func watchMemory(_ isAwaited: Bool, at now: MonotonicTime) {
        if isAwaited, memoryAlarm == nil {
            memoryAlarm = alarms.add(.memory, at: now.advanced(by: Self.memoryInterval))
        } else if !isAwaited, let alarm = memoryAlarm {
            alarms.remove(alarm)
            memoryAlarm = nil
        }
    }

    /// The time at which the pipeline's owner has to call `timePassed`; nil if the owner has already been asked to call
    /// at that time or earlier, or if there is no alarm.
    ///
    /// When the earliest alarm is removed, the owner is not told, and so calls too early. That does no harm. Such a
    /// call costs less than telling the owner of each removal, because requests come and go far more often than alarms
    /// are due.
    mutating func takeWake() -> MonotonicTime? {
        guard let earliest = alarms.earliest else { return nil }
        // The earliest alarm may be overdue, because one call of `timePassed` handles only a limited number of alarms.
        // In that case the time of the last call is returned, which has passed. So the owner calls again at once.
        let time = max(earliest, lastTimePassed)
        guard announcedWake.map({ time < $0 }) ?? true else { return nil }
        announcedWake = time
        return time
    }

    /// Frees the storage of the alarms if no alarm is left and the storage is large.
    ///
    /// - Returns: the number of alarms that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int { alarms.shrink() }

    /// Throws if an alarm is missing, or if there is an alarm for something that has ended, such as a request.
    ///
    /// - Parameter count: the number of alarms that there should be, not counting the alarm for memory. Each deadline
    ///   of a request has one alarm, and so has each time limit of a render, a look-up or a claim (a wait for another
    ///   server).
    func checkInvariants(count: Int) throws(BrokenInvariant) {
        try alarms.checkInvariants()
        try BrokenInvariant.require(
            alarms.count == count + (memoryAlarm == nil ? 0 : 1), "alarms for what is over")
    }
}
