/// The library's version, as it appears in documents and reports.
public enum ThumbwheelVersion {
    public static let current = "0.1.0"
}
