import Foundation

/// The value that represents an absent number in a column of doubles. The value is a NaN (not a number) with a special
/// bit pattern, so that a date or coordinate that is any other NaN can be stored too.
///
/// Comparisons of the value with a number have the results that comparisons of nil should have, because the value is a
/// NaN: `!=` is true, and every other operator is false.
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
