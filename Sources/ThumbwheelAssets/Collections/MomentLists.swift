import Foundation

/// Makes the lists of moments: one for each year, and one for each sequence of consecutive days.
struct MomentLists {
    let timeZone: TimeZone

    /// Returns the lists of moments with the given subtype: lists of consecutive days, lists of years, or both for
    /// `.any`.
    ///
    /// - Parameter moments: the moments, oldest first.
    func lists(_ moments: [AssetCollection], _ subtype: CollectionList.Subtype) -> [CollectionList] {
        var lists: [CollectionList] = []
        if subtype == .any || subtype == .momentListCluster {
            lists += split(moments) { Self.interval(of: $0)?.end != Self.interval(of: $1)?.start }.map {
                list($0, .momentListCluster, title: nil)
            }
        }
        if subtype == .any || subtype == .momentListYear {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            let year = { (moment: AssetCollection) in moment.startDate.map { calendar.component(.year, from: $0) } }
            lists += split(moments) { year($0) != year($1) }.map { moments in
                list(moments, .momentListYear, title: moments.first.flatMap(year).map(String.init))
            }
        }
        return lists
    }

    private static func interval(of moment: AssetCollection) -> (start: Double, end: Double)? {
        if case .moment(let start, let end) = moment.content { (start, end) } else { nil }
    }

    private func split(
        _ moments: [AssetCollection], between isBoundary: (AssetCollection, AssetCollection) -> Bool
    ) -> [[AssetCollection]] {
        var parts: [[AssetCollection]] = []
        for moment in moments {
            if let last = parts.last?.last, !isBoundary(last, moment) {
                parts[parts.count - 1].append(moment)
            } else {
                parts.append([moment])
            }
        }
        return parts
    }

    private func list(
        _ moments: [AssetCollection], _ subtype: CollectionList.Subtype, title: String?
    ) -> CollectionList {
        let start = moments.first.flatMap(Self.interval)?.start ?? 0
        let end = moments.last.flatMap(Self.interval)?.end ?? start
        var names: [String] = []
        for name in moments.flatMap(\.localizedLocationNames) where !names.contains(name) { names.append(name) }
        return CollectionList(
            identifier: .moment(.folder, from: "list \(subtype.rawValue) \(timeZone.identifier) \(start)"),
            type: .momentList, subtype: subtype, title: title, content: .moments(timeZone, start..<max(start, end)),
            startDate: moments.first?.startDate, endDate: moments.last?.endDate, locationNames: names)
    }
}
