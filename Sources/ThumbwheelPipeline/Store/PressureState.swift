import ThumbwheelCore

/// How short memory is, and what the budget is by its owner's word.
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

    /// What may be spent at the present level.
    var limit: Int {
        switch level {
        case .none, .mild, .moderate: grantedByteCount
        case .severe: grantedByteCount / 2
        case .critical: 0
        }
    }
}
