/// The sources that report how short memory is. The highest reported pressure counts.
package enum MemoryPressureSource: Sendable {
    /// The program that uses this library. It reports the pressure by calling `ImageManager.setMemoryPressure`.
    case host
    /// The system, as `MemoryPressureGauge` measures it.
    case system
}
