enum ExitStatus: Int32 {
    case done = 0
    /// The work was done, and its verdict is negative.
    case negative = 1
    /// The arguments or the input cannot be used.
    case unusable = 2
}
