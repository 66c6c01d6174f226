/// A match: a repetition of bytes that were decoded before. The literal bytes between two matches are counted in the
/// second match.
struct InflateMatch: BitwiseCopyable {
    /// The number of literal bytes between the previous match and this one.
    var literalCount: UInt32
    /// The number of bytes that are repeated; 0 if this is the entry for the literals after the last match.
    var length: UInt16
    /// The distance from the match back to the bytes that are repeated, from 1 to 32 768 bytes.
    var distance: UInt16
}
