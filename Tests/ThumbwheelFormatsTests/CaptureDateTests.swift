import Foundation
import Testing
import ThumbwheelFormats

@Suite struct CaptureDateTests {
    private let berlin = TimeZone(identifier: "Europe/Berlin")!

    @Test("a zone in the file counts more than the assumed one")
    func zoneInFile() {
        let date = CaptureDate(
            year: 2008, month: 5, day: 30, hour: 15, minute: 56, second: 1, millisecond: 500, secondsFromGMT: -3600)
        #expect(date.date(assuming: berlin) == Date(timeIntervalSince1970: 1_212_166_561.5))
    }

    @Test("without one, summer and winter time are the assumed zone's")
    func assumedZone() {
        let summer = CaptureDate(year: 2021, month: 7, day: 1, hour: 12, minute: 0, second: 0)
        let winter = CaptureDate(year: 2021, month: 1, day: 1, hour: 12, minute: 0, second: 0)
        #expect(summer.date(assuming: berlin) == Date(timeIntervalSince1970: 1_625_133_600))
        #expect(winter.date(assuming: berlin) == Date(timeIntervalSince1970: 1_609_498_800))
    }

    @Test("every day of eight centuries is the one that the calendar has")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let start = try #require(calendar.date(from: DateComponents(year: 1600, month: 1, day: 1)))
        for day in stride(from: 0, to: 800 * 365, by: 17) {
            let expected = start.addingTimeInterval(Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: expected)
            let date = CaptureDate(
                year: parts.year!, month: parts.month!, day: parts.day!, hour: 0, minute: 0, second: 0)
            #expect(date.date(assuming: .gmt) == expected)
        }
    }

    @Test(
        "what is in no calendar is no date",
        arguments: [
            (0, 0, 0, 0, 0, 0), (2020, 13, 1, 0, 0, 0), (2021, 2, 29, 0, 0, 0), (2020, 4, 31, 0, 0, 0),
            (2020, 1, 0, 0, 0, 0), (2020, 1, 1, 24, 0, 0), (2020, 1, 1, 0, 60, 0), (2020, 1, 1, 0, 0, 61),
            (Int.max, 1, 1, 0, 0, 0), (2020, 1, 1, 0, 0, Int.min),
        ])
    func impossible(parts: (Int, Int, Int, Int, Int, Int)) {
        let date = CaptureDate(
            year: parts.0, month: parts.1, day: parts.2, hour: parts.3, minute: parts.4, second: parts.5)
        #expect(date.date(assuming: .gmt) == nil)
    }

    @Test(
        "a blank or impossible date in EXIF gives way to the next one",
        arguments: ["    :  :     :  :  ", "0000:00:00 00:00:00", "2020:13:01 00:00:00", "yesterday", ""])
    func fallback(text: String) throws {
        let block = TIFFBytes(directories: [
            [(0x0132, .text("2003-01-02 03:04:05")), (0x8769, .directory(1))], [(0x9003, .text(text))],
        ]).encoded()
        let date = try head(JPEGBytes.start + JPEGBytes.exif(block) + JPEGBytes.frame(1, 1)).captureDate
        #expect(date == CaptureDate(year: 2003, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    }

    @Test(
        "offsets from Greenwich",
        arguments: [("+09:30", 34_200), ("-08:00", -28_800), ("Z", 0), ("+15:00", nil), ("+9", nil)])
    func offsets(text: String, seconds: Int?) throws {
        let block = TIFFBytes(directories: [
            [(0x8769, .directory(1))], [(0x9003, .text("2003:01:02 03:04:05")), (0x9011, .text(text))],
        ]).encoded()
        let date = try head(JPEGBytes.start + JPEGBytes.exif(block) + JPEGBytes.frame(1, 1)).captureDate
        #expect(date?.secondsFromGMT == seconds)
    }
}
