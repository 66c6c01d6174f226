/// A format's rule for a file that has both an ICC profile and code points: one of the two is used, and the other one
/// is ignored. Code points are numbers that name standard colour spaces (ITU-T H.273). The rule also tells how the
/// format stores profiles.
enum ColorRules: Sendable {
    /// If a file has both an ICC profile and code points, the profile is used (ISO/IEC 23008-12, 6.5.5.1). Profiles are
    /// stored uncompressed.
    case profileFirst
    /// If a file has both an ICC profile and code points, the code points are used (W3C PNG, third edition, 4.3).
    /// Profiles are stored compressed.
    case codePointsFirst
}
