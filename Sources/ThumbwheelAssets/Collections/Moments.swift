import Foundation
import ThumbwheelCore

/// A function that returns the names of the places at a location, the most descriptive name first.
public typealias PlaceNames = @Sendable (Location) -> [String]

/// Finds the moments of a library. A moment consists of the assets that were taken on one day in a given time zone.
struct Moments {
    let timeZone: TimeZone
    let placeNames: PlaceNames?

    private struct Day {
        let start: Double
        let end: Double
        let first: Double
        var last: Double
        var count = 1
        var location: Location?
    }

    /// The greatest distance of a date from 2001, in seconds (about ten thousand years). Calendar days cannot be
    /// computed for arbitrary dates, so assets with dates beyond this limit are in no moment.
    private static let calendarLimit = 3.2e11

    /// Returns the moments of the given assets, oldest first. An asset without a date is in no moment.
    ///
    /// - Parameter rows: the row numbers of the assets, sorted by creation date, oldest first.
    func collections(_ rows: [UInt32], _ snapshot: Snapshot) -> [AssetCollection] {
        var days: [Day] = []
        for row in rows {
            let columns = snapshot.chunks[Chunk.index(of: row)].columns
            let slot = Chunk.slot(of: row)
            let time = columns.creation[slot]
            guard abs(time) < Self.calendarLimit else { continue }
            if let last = days.last, time < last.end {
                days[days.count - 1].last = time
                days[days.count - 1].count += 1
                if last.location == nil { days[days.count - 1].location = columns.location(at: slot) }
            } else {
                let (start, end) = bounds(of: time)
                days.append(
                    Day(start: start, end: end, first: time, last: time, location: columns.location(at: slot)))
            }
        }
        return days.map(collection)
    }

    private func collection(_ day: Day) -> AssetCollection {
        AssetCollection(
            identifier: .moment(.album, from: "\(timeZone.identifier) \(day.start)"), type: .moment, subtype: .any,
            title: nil, content: .moment(day.start, day.end),
            extent: .known(
                CollectionExtent.Bounds(
                    start: Date(timeIntervalSinceReferenceDate: day.first),
                    end: Date(timeIntervalSinceReferenceDate: day.last), place: day.location)),
            placeNames: placeNames, estimatedAssetCount: day.count)
    }

    /// Returns the first instant of the local day that contains a time, and the first instant of the next day. If
    /// clocks change by an hour on that day, the two are 23 or 25 hours apart.
    private func bounds(of time: Double) -> (Double, Double) {
        var midnight = ((time + offset(at: time)) / 86_400).rounded(.down) * 86_400
        // Goes on to the next day if it has already begun at `time`. This happens where clocks are set back across
        // midnight: the new day begins, and then the clocks show the end of the old evening again. This repeated hour
        // belongs to the new day.
        while start(ofLocalDay: midnight + 86_400) <= time { midnight += 86_400 }
        return (start(ofLocalDay: midnight), start(ofLocalDay: midnight + 86_400))
    }

    private func offset(at time: Double) -> Double {
        Double(timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: time)))
    }

    /// Converts a time of local clocks into an instant.
    ///
    /// - Parameter midnight: the time that the clocks show, in seconds since they showed 0:00 on 1 January 2001. Each
    ///   day counts as 86,400 seconds, even if the clocks change on it.
    /// - Returns: the instant in seconds since the reference date (1 January 2001, 0:00 UTC). If the clocks show the
    ///   time twice, it is the first instant. If they skip the time, it is the first instant at which they show a later
    ///   time.
    private func start(ofLocalDay midnight: Double) -> Double {
        let offsets = [offset(at: midnight - 86_400), offset(at: midnight + 86_400)].sorted(by: >)
        for offset in offsets where self.offset(at: midnight - offset) == offset { return midnight - offset }
        var (before, after) = (midnight - offsets[0], midnight - offsets[1])
        while after - before > 1 {
            let middle = ((before + after) / 2).rounded(.down)
            if middle + offset(at: middle) < midnight { before = middle } else { after = middle }
        }
        return after
    }
}
