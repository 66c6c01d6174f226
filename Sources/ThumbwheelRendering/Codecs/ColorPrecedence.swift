/// The rule of a format for files with two descriptions of their colours: an ICC profile and code points. Code points
/// are numbers that stand for a standard colour space (ITU-T H.273). The rule tells which description is used; the
/// other one is ignored. Each rule also implies whether the format stores profiles compressed.
enum ColorPrecedence: Sendable {
    /// The ICC profile is used, and the code points of H.273 are ignored (ISO/IEC 23008-12, 6.5.5.1). All formats with
    /// this rule store profiles uncompressed.
    case profileFirst
    /// The code points of H.273 are used, and the ICC profile is ignored (W3C PNG, third edition, 4.3). PNG is the only
    /// format with this rule. Its profiles are compressed, so a stricter limit on their size in the file applies.
    case codePointsFirst
}
