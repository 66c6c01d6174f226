// Former names. They are kept for one version, so that the compiler can suggest the new names.

extension ContentMode {
    /// The former name of `aspectFit`.
    @available(*, deprecated, renamed: "aspectFit")
    public static let fit = aspectFit

    /// The former name of `aspectFill`.
    @available(*, deprecated, renamed: "aspectFill")
    public static let fill = aspectFill
}
