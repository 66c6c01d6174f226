/// Which pixels are wanted.
package struct SimulatedPicture: Codable, Sendable {
    /// Whose; the asset's number also says what its file is like.
    var asset: Int
    var side: Int
    var isCropped = false
    var isFitted = false
    var isFast = false
}
