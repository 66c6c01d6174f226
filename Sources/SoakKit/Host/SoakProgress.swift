import Thumbwheel

/// How far a run has come.
package struct SoakProgress: Sendable {
    package let stepCount: Int
    package let requestCount: Int
    package let elapsed: Duration
    package let memory: MemoryWatch
}
