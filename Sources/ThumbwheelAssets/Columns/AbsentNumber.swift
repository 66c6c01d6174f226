import Foundation

/// The value that represents an absent number in a column of doubles. The value is a NaN (not a number) with a special
/// bit pattern, so that a date or coordinate that is any other NaN can be stored too.
///
/// Like every NaN, the value is unequal to every number: a comparison by `!=` is true, and a comparison by any other
/// operator is false. `nil != number` is true in Swift too.
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
