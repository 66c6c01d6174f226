/// The colour space that EXIF declares: its tag 0xA001, and the interoperability index `R03` for Adobe RGB.
public enum EXIFColorSpace: String, Sendable {
    /// The tag states sRGB.
    case sRGB
    /// The tag or the interoperability index states Adobe RGB.
    case adobeRGB
    /// The tag states that the colours are in neither space.
    case uncalibrated
}
