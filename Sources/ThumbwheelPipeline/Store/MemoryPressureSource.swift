/// Who says how short memory is: the word of the gloomier one counts.
package enum MemoryPressureSource: Sendable {
    /// The host, by `ImageManager.setMemoryPressure`.
    case host
    /// The system, through the process's control group.
    case system
}
