/// The share by which a figure may be worse before it is a regression.
public enum FigureTolerance: Sendable {
    /// By the same share, whatever it counts.
    case share(Double)
    /// By its unit, where both documents were made on one machine, one after the other.
    case oneMachine
    /// By its unit, whichever machine each was made on.
    case anyMachine

    /// The usual tolerance of figures without a unit of their own.
    public static let usual = 0.03

    func share(of unit: FigureUnit?) -> Double {
        switch self {
        case .share(let share): share
        case .oneMachine: unit?.toleranceOnOneMachine ?? Self.usual
        case .anyMachine: unit?.toleranceOnAnyMachine ?? Self.usual
        }
    }
}
