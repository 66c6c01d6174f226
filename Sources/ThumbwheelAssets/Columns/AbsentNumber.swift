import Foundation

/// The mark of a number that is not there, in a column of doubles: a NaN with a payload of its own, so that a date or a
/// coordinate that is itself no number is kept as it is. Every comparison with it is false, as with nil.
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
