import Thumbwheel
import ThumbwheelScheduling

/// How urgent a client says that its request is: by `Priority` (RFC 9218), and by the gallery's own field
/// `Thumbwheel-Distance`, the number of rows between a cell and what is on the screen.
///
/// Browsers send other urgencies for the same picture (Chrome 3, Firefox 5), and none tells what is looked at from what is
/// fetched ahead. So the urgency only orders requests; only 6 and 7, which no browser uses for pictures, mean background work.
/// A distance above 0 is a prefetch.
struct PriorityHint: Equatable {
    var priority = RequestPriority.userInitiated
    /// The place among requests of equal priority; the smallest goes first. RFC 9218 says 3 where a request says nothing.
    var urgency = 3.0

    init(_ fields: HTTPFields) {
        if let level = fields.list("priority").flatMap(Self.level) {
            urgency = Double(level)
            if level >= 6 { priority = .background }
        }
        if let distance = fields["thumbwheel-distance"].flatMap({ Double($0) }), distance.isFinite {
            urgency = min(10_000, max(0, distance))
            priority = distance > 0 ? .prefetch : .userInitiated
        }
    }

    /// The urgency in a `Priority` field; nil if it states none. Of members that are there twice, the last counts.
    private static func level(_ field: String) -> Int? {
        var level: Int?
        for member in field.split(separator: ",").prefix(32) {
            let text = member.filter { $0 != " " && $0 != "\t" }
            if text.hasPrefix("u="), let number = Int(text.dropFirst(2)), (0...7).contains(number) { level = number }
        }
        return level
    }
}
