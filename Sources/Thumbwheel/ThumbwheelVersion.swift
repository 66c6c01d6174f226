/// The library's version, as documents and reports name it.
public enum ThumbwheelVersion {
    public static let current = "0.1.0"
}
