/// The sources that report how short memory is. The highest reported pressure counts.
package enum MemoryPressureSource: Sendable {
    /// The host, by `ImageManager.setMemoryPressure`.
    case host
    /// The system, as `MemoryPressureGauge` measures it.
    case system
}
