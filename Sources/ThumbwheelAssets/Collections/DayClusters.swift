import Foundation
import ThumbwheelCore

/// Moments: the days on which assets were captured, in one time zone (row 48).
struct DayClusters {
    let timeZone: TimeZone

    private struct Day {
        var first: Double
        var last: Double
        var count = 0
        var location: Location?
    }

    /// Dates further from 2001 than this are in no calendar: they have no day.
    private static let calendarLimit = 3.2e11

    /// - Parameter rows: by creation date, the oldest first.
    func collections(_ rows: [UInt32], _ snapshot: Snapshot) -> [AssetCollection] {
        var days: [(start: Double, end: Double, day: Day)] = []
        for row in rows {
            let columns = snapshot.chunks[Chunk.index(of: row)].columns
            let slot = Chunk.slot(of: row)
            let time = columns.creation[slot]
            guard abs(time) < Self.calendarLimit else { continue }
            if let last = days.last, time < last.end {
                days[days.count - 1].day.last = time
                days[days.count - 1].day.count += 1
                if last.day.location == nil { days[days.count - 1].day.location = columns.location(at: slot) }
            } else {
                let (start, end) = bounds(of: time)
                days.append((start, end, Day(first: time, last: time, count: 1, location: columns.location(at: slot))))
            }
        }
        return days.map { start, end, day in
            AssetCollection(
                identifier: .derived(.album, from: "moment \(timeZone.identifier) \(start)"), type: .moment,
                subtype: .any, title: nil, content: .moment(start, end),
                startDate: Date(timeIntervalSinceReferenceDate: day.first),
                endDate: Date(timeIntervalSinceReferenceDate: day.last), approximateLocation: day.location,
                estimatedAssetCount: day.count)
        }
    }

    /// The local day of a time. Its ends have offsets of their own: days on which clocks change last 23 or 25 hours.
    private func bounds(of time: Double) -> (Double, Double) {
        let local = time + offset(at: time)
        let midnight = (local / 86_400).rounded(.down) * 86_400
        return (instant(ofLocal: midnight, near: time), instant(ofLocal: midnight + 86_400, near: time))
    }

    private func offset(at time: Double) -> Double {
        Double(timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: time)))
    }

    private func instant(ofLocal local: Double, near time: Double) -> Double {
        let guess = local - offset(at: time)
        return local - offset(at: guess)
    }
}
