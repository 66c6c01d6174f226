import Foundation

/// The mark of an absent number in a column of doubles. It is a NaN (not a number) with its own payload, so that a date
/// or coordinate that is another NaN is stored unchanged. Every comparison with the mark is false, as with nil.
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
