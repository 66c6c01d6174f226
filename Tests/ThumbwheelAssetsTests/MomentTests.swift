import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

@Suite struct MomentTests {
    /// Half-hourly photographs around a date, as a library and as local days by Foundation's calendar.
    private func compare(_ zone: String, around date: String, location: SourceLocation = #_sourceLocation) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        let start = try Date(date, strategy: .iso8601).timeIntervalSinceReferenceDate - 3 * 86_400
        let library = PhotoLibrary()
        let times = (0..<6 * 48).map { start + Double($0) * 1800 }
        library.add(times.enumerated().map { SampleAssets.asset($0.offset, created: $0.element) })
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let days = Dictionary(grouping: times) { time in
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSinceReferenceDate: time))
            return "\(parts.year ?? 0) \(parts.month ?? 0) \(parts.day ?? 0)"
        }
        let moments = library.fetchMoments(in: timeZone)
        #expect(moments.count == days.count, "\(zone)", sourceLocation: location)
        #expect(Set(moments.map(\.identifier)).count == moments.count, sourceLocation: location)
        let expected = days.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
        for (moment, times) in zip(moments, expected) {
            let found = library.fetchAssets(in: moment).compactMap { $0.creationDate?.timeIntervalSinceReferenceDate }
            #expect(found == times, "\(zone)", sourceLocation: location)
            #expect(moment.startDate?.timeIntervalSinceReferenceDate == times.first, sourceLocation: location)
            #expect(moment.endDate?.timeIntervalSinceReferenceDate == times.last, sourceLocation: location)
            #expect(moment.estimatedAssetCount == times.count, sourceLocation: location)
        }
        #expect(library.fetchMomentLists(with: .momentListCluster, in: timeZone).count == 1, sourceLocation: location)
    }

    @Test("a moment is a local day, of 23 or 25 hours where clocks change, whenever in the night they do")
    func days() throws {
        try compare("GMT", around: "2024-05-01T00:00:00Z")
        try compare("Asia/Kolkata", around: "2024-05-01T00:00:00Z")
        try compare("Europe/Berlin", around: "2024-03-31T01:00:00Z")
        try compare("Europe/Berlin", around: "2024-10-27T01:00:00Z")
        try compare("Australia/Lord_Howe", around: "2024-04-06T15:00:00Z")
        // Midnight itself is skipped, or comes twice.
        try compare("Asia/Beirut", around: "2022-03-26T22:00:00Z")
        try compare("America/Sao_Paulo", around: "2018-11-04T03:00:00Z")
        try compare("America/Sao_Paulo", around: "2018-02-18T02:00:00Z")
        // A day that never was.
        try compare("Pacific/Apia", around: "2011-12-30T10:00:00Z")
    }

    @Test("every photograph is in exactly one moment where clocks go back from a minute past midnight")
    func ambiguousMidnight() throws {
        let timeZone = try #require(TimeZone(identifier: "America/St_Johns"))
        let start = try Date("2007-11-03T00:00:00Z", strategy: .iso8601).timeIntervalSinceReferenceDate
        // Of the longer steps, one leads into the hour that the clocks show twice, and none to the minute before it, in
        // which the new day has begun already.
        for step in [1, 50] {
            let numbers = Array(stride(from: 0, to: 3 * 1440, by: step))
            let library = PhotoLibrary()
            library.add(numbers.map { SampleAssets.asset($0, created: start + Double($0) * 60) })
            let moments = library.fetchMoments(in: timeZone)
            #expect(moments.flatMap { library.fetchAssets(in: $0).numbers } == numbers)
            #expect(Set(moments.map(\.identifier)).count == moments.count)
        }
    }

    @Test("hidden assets, and dates that no calendar has, are in no moment; those at its edges are")
    func edges() throws {
        let library = PhotoLibrary()
        let dates = [
            -.infinity, -1e300, Date.distantPast.timeIntervalSinceReferenceDate, 0,
            Date.distantFuture.timeIntervalSinceReferenceDate, 3.3e11, .infinity, .nan, -.nan,
        ]
        library.add(dates.enumerated().map { SampleAssets.asset($0.offset, created: $0.element) })
        library.add([SampleAssets.asset(20), SampleAssets.asset(21, created: 0, hidden: true)])
        let timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let moments = library.fetchMoments(in: timeZone)
        #expect(moments.map { library.fetchAssets(in: $0).numbers } == [[2], [3], [4]])
        let years = library.fetchMomentLists(with: .momentListYear, in: timeZone)
        #expect(years.map(\.localizedTitle) == ["1", "2001", "4001"])
    }

    @Test("lists of moments are the years, and runs of days without a gap")
    func lists() throws {
        let places: [Double: String] = [10: "Here", 20: "There"]
        let library = PhotoLibrary(
            configuration: PhotoLibrary.Configuration {
                $0.placeNames = { place in
                    places[place.latitude].map { [$0, "Earth"] } ?? []
                }
            })
        // 28, 29 and 31 December 2001, 1 January 2002.
        let days: [Double] = [361, 362, 364, 365]
        library.add(
            days.enumerated().map { number, day in
                SampleAssets.asset(
                    number, created: day * 86_400 + 3600,
                    location: Location(latitude: number < 3 ? 10 : 20, longitude: 0))
            })
        let all = library.fetchCollectionLists(with: .momentList)
        #expect(
            all.map(\.collectionListSubtype) == [
                .momentListCluster, .momentListCluster, .momentListYear, .momentListYear,
            ])
        let members = all.map { list in
            library.fetchMoments(inMomentList: list).map { library.fetchAssets(in: $0).numbers[0] }
        }
        #expect(members == [[0, 1], [2, 3], [0, 1, 2], [3]])
        #expect(
            all.map(\.localizedLocationNames) == [
                ["Here", "Earth"], ["Here", "Earth", "There"], ["Here", "Earth"], ["There", "Earth"],
            ])
        #expect(all[0].endDate == Date(timeIntervalSinceReferenceDate: 362 * 86_400 + 3600))
        #expect(library.fetchCollections(in: all[3]).map(\.startDate) == [all[3].startDate])
        #expect(library.fetchAssetCollectionsContaining(SampleAssets.identifier(2), with: .moment).count == 1)
        #expect(!all[0].canPerform(.addContent) && all[0].collectionListType == .momentList)
        #expect(throws: ChangeError(.collectionNotEditable(all[0].identifier))) {
            try library.performChangesAndWait { try $0.setTitle("x", of: all[0]) }
        }
    }

    @Test("a result of moments tells which came, went and changed")
    func changes() throws {
        let library = PhotoLibrary()
        library.add([1.0, 1.5, 2, 4].enumerated().map { SampleAssets.asset($0.offset, created: $0.element * 86_400) })
        let moments = library.fetchMoments(in: .gmt)
        let change = try library.changeMade { changes in
            try changes.deleteAssets([SampleAssets.identifier(1), SampleAssets.identifier(2)])
            try changes.createAsset(SampleAssets.asset(9, created: 3 * 86_400))
        }
        let details = try #require(change.changeDetails(for: moments))
        #expect(details.removedIndexes == [1] && details.insertedIndexes == [1] && details.changedIndexes == [0])
        #expect(details.applied() == Array(library.fetchMoments(in: .gmt)))
    }
}
