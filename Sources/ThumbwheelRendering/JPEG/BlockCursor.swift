/// What an entropy decoder needs to know of one block of a minimum coded unit.
struct BlockCursor {
    /// The tables of `HuffmanTable`: for the DC difference, for coefficients that are kept, for those that are not.
    var dc: UnsafePointer<UInt32>
    var ac: UnsafePointer<UInt32>
    var runs: UnsafePointer<UInt32>
    /// For a place from 1 to 64, how far from `output` the coefficient before it is stored.
    var slots: UnsafePointer<Int32>
    /// The DC coefficient of the next unit's block, and from each unit's to the next.
    var output: UnsafeMutablePointer<Int16>
    var step: Int
    /// The last place of the zigzag order whose coefficient is kept.
    var lastKept: Int
    /// Which codes to use where the tables do not say: indices into the decoder's list.
    var dcCode: Int
    var acCode: Int
}
