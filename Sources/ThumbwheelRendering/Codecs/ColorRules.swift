/// The rules that say which of a file's colour information counts: its ICC profile or its code points.
enum ColorRules: Sendable {
    /// A profile takes precedence over code points (ISO/IEC 23008-12, 6.5.5.1), and is stored uncompressed.
    case profileFirst
    /// Code points take precedence over a profile (W3C PNG, third edition, 4.3), and the profile is stored compressed.
    case codePointsFirst
}
