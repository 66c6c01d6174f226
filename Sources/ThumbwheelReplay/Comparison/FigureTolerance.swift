/// The share by which a figure may be worse before it is a regression.
public enum FigureTolerance: Sendable {
    /// All figures may be worse by the same share, whatever their unit.
    case share(Double)
    /// A figure may be worse by the share of its unit, for documents that were made on one machine, one after the other.
    case oneMachine
    /// A figure may be worse by the share of its unit, for documents that were made on any machines.
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
