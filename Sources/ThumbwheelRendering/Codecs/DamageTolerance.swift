/// How much damage in a file a decoder tolerates.
enum DamageTolerance: Sendable {
    /// Any sign of damage ends the decode.
    case none
    /// The decoder leaves neutral grey in place of pixels that it cannot decode.
    case all
}
