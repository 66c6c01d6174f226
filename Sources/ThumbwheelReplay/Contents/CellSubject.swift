import ThumbwheelCore

/// What a cell of a replay shows: an asset in one state, at one size. Cells with equal subjects show the same image.
struct CellSubject: Hashable {
    let asset: AssetState
    /// The size at which the asset is requested; nil for the one size of the replay.
    let size: PixelSize?
}
