import ThumbwheelFormats

/// The capture date that a camera has written, in 12 bytes. Impossible dates, such as 31 February, can be stored too,
/// if each part (year, month and so on) fits into its bits.
struct PackedCaptureDate: Equatable {
    var clock: UInt64
    var zone: Int32

    static let absentZone = Int32.min
    static let unknownZone = Int32.max
    static let absent = PackedCaptureDate(clock: 0, zone: absentZone)

    /// The bit widths of year, month, day, hour, minute, second and millisecond, in this order.
    private static let widths: [UInt64] = [15, 7, 7, 7, 7, 7, 10]

    init(clock: UInt64, zone: Int32) {
        self.clock = clock
        self.zone = zone
    }

    /// Packs a date into 12 bytes; nil if a part of the date does not fit into its bits. If the date is nil, the result
    /// is `absent`.
    init?(_ date: CaptureDate?) {
        guard let date else {
            self = .absent
            return
        }
        var clock: UInt64 = 0
        let parts = [date.year, date.month, date.day, date.hour, date.minute, date.second, date.millisecond]
        for (part, width) in zip(parts, Self.widths) {
            guard part >= 0, part < 1 << width else { return nil }
            clock = clock << width | UInt64(part)
        }
        guard let seconds = date.secondsFromGMT else {
            self.init(clock: clock, zone: Self.unknownZone)
            return
        }
        guard abs(seconds) < 1 << 30 else { return nil }
        self.init(clock: clock, zone: Int32(seconds))
    }

    var date: CaptureDate? {
        guard zone != Self.absentZone else { return nil }
        var rest = clock
        // Returns the part of the date whose width is `widths[index]`, and removes the bits of this part from `rest`.
        // The last part is in the lowest bits, so the parts are taken from last to first.
        func next(_ index: Int) -> Int {
            let width = Self.widths[index]
            defer { rest >>= width }
            return Int(rest & (1 << width - 1))
        }
        let (millisecond, second, minute, hour) = (next(6), next(5), next(4), next(3))
        let (day, month, year) = (next(2), next(1), next(0))
        return CaptureDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond,
            secondsFromGMT: zone == Self.unknownZone ? nil : Int(zone))
    }
}
