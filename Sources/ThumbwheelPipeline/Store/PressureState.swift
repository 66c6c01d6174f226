import ThumbwheelCore

/// The memory budget, and the memory pressure that each source has reported. The pressure decides how much of the
/// budget may be used.
struct PressureState: Sendable {
    var grantedByteCount: Int
    private var host = MemoryPressure.none
    private var system = MemoryPressure.none

    init(grantedByteCount: Int) {
        self.grantedByteCount = grantedByteCount
    }

    var level: MemoryPressure { max(host, system) }

    subscript(source: MemoryPressureSource) -> MemoryPressure {
        get {
            switch source {
            case .host: host
            case .system: system
            }
        }
        set {
            switch source {
            case .host: host = newValue
            case .system: system = newValue
            }
        }
    }

    /// The bytes of the budget that may be in use at the present level of pressure.
    var limit: Int {
        switch level {
        case .none, .mild, .moderate: grantedByteCount
        case .severe: grantedByteCount / 2
        case .critical: 0
        }
    }
}
