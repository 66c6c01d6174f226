import Foundation

/// The mark of an absent number in a column of doubles. The mark is a NaN (not a number) with a bit pattern of its own.
/// A date or coordinate that is another NaN is therefore stored unchanged. Comparisons with the mark give the same as
/// with nil: `!=` is true, and every other comparison is false.
enum AbsentNumber {
    static let bits: UInt64 = 0x7FF8_5EED_AB5E_0000

    static let value = Double(bitPattern: bits)

    @inline(__always)
    static func isAbsent(_ number: Double) -> Bool { number.bitPattern == bits }

    static func date(_ number: Double) -> Date? {
        isAbsent(number) ? nil : Date(timeIntervalSinceReferenceDate: number)
    }

    static func number(_ date: Date?) -> Double { date?.timeIntervalSinceReferenceDate ?? value }
}
