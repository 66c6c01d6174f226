/// A repetition of bytes that were decoded before, and the number of literal bytes that come before it.
struct InflateMatch: BitwiseCopyable {
    /// The number of literals between the match before and this one.
    var literalCount: UInt32
    /// The number of bytes that are repeated; 0 where only literals are left.
    var length: UInt16
    /// How far back the repeated bytes begin, from 1 to 32 768.
    var distance: UInt16
}
