import TestSupport
import Testing
import ThumbwheelLocks

@testable import ThumbwheelCore

@Suite(.endsHangs) struct AlarmClockTests {
    private let clock = AlarmClock()
    private let kept = KeptAlarms()

    /// Holds alarms, because an alarm without a holder is silent.
    private final class KeptAlarms: Sendable {
        private let alarms = Mutex<[AlarmClock.Alarm]>([])

        var first: AlarmClock.Alarm? { alarms.withLock { $0.first } }

        func keep(_ alarms: [AlarmClock.Alarm]) { self.alarms.withLock { $0 = alarms } }
    }

    @Test("alarms ring in the order of their times, whatever the order in which they are set")
    func order() async {
        while true {
            let (rung, isInTime) = await ringTwenty()
            // Alarms whose times are over when they are set ring at once.
            guard isInTime else { continue }
            #expect(rung == Array(0..<20))
            return
        }
    }

    /// - Returns: the order in which twenty alarms rang, and whether all of them were set before the first one's time.
    private func ringTwenty() async -> (rung: [Int], isInTime: Bool) {
        let rung = Mutex<[Int]>([])
        let isInTime = Mutex(false)
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            let first = MonotonicTime.now.advanced(by: .milliseconds(20))
            let alarms = (0..<20).map { number in
                clock.alarm {
                    let isLast = rung.withLock { rung in
                        rung.append(number)
                        return rung.count == 20
                    }
                    if isLast { end.resume() }
                }
            }
            kept.keep(alarms)
            for number in [7, 3, 19, 0, 12, 5, 18, 1, 9, 16, 2, 14, 11, 4, 8, 17, 6, 15, 10, 13] {
                alarms[number].set(at: first.advanced(by: .milliseconds(number)))
            }
            isInTime.withLock { $0 = .now < first }
        }
        return (rung.withLock { $0 }, isInTime.withLock { $0 })
    }

    @Test("an alarm set again for an earlier time rings then; a later time does not put it off")
    func earliest() async {
        await withCheckedContinuation { end in
            let alarm = clock.alarm { end.resume() }
            kept.keep([alarm])
            alarm.set(at: .now.advanced(by: .seconds(3600)))
            alarm.set(at: .now)
            alarm.set(at: .now.advanced(by: .seconds(3600)))
        }
    }

    @Test("an alarm that is stopped or released lets go of its closure, so it cannot ring")
    func silent() {
        final class Sentinel: Sendable {}
        weak var first: Sentinel?
        weak var second: Sentinel?
        do {
            let (one, two) = (Sentinel(), Sentinel())
            (first, second) = (one, two)
            // No machine is so busy that these alarms ring before they are stopped.
            let stopped = clock.alarm { [one] in _ = one }
            kept.keep([stopped])
            stopped.set(at: .now.advanced(by: .seconds(3600)))
            stopped.stop()
            let dropped = clock.alarm { [two] in _ = two }
            dropped.set(at: .now.advanced(by: .seconds(3600)))
        }
        #expect(first == nil && second == nil)
    }

    @Test("an alarm may be set again while it rings")
    func again() async {
        let count = Mutex(0)
        await withCheckedContinuation { end in
            let alarm = clock.alarm { [kept] in
                let rings = count.withLock { count in
                    count += 1
                    return count
                }
                if rings == 5 { end.resume() }
                if rings < 5 { kept.first?.set(at: .now) }
            }
            kept.keep([alarm])
            alarm.set(at: .now)
        }
        #expect(count.withLock { $0 } == 5)
    }
}
