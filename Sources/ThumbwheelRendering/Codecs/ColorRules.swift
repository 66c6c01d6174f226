/// The rules by which a format's colour information is read.
enum ColorRules: Sendable {
    /// A profile counts before code points (ISO/IEC 23008-12, 6.5.5.1), and is stored as it is.
    case profileFirst
    /// Code points count before a profile, which is stored compressed (W3C PNG, third edition, 4.3).
    case codePointsFirst
}
