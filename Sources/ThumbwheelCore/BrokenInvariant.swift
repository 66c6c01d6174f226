/// The error that two parts of a value contradict one another. It is thrown and does not trap, so that a simulation can
/// report the events that led to it.
package struct BrokenInvariant: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    @inline(__always)
    package static func require(
        _ holds: Bool, _ otherwise: @autoclosure () -> String
    ) throws(BrokenInvariant) {
        if !holds { throw BrokenInvariant(otherwise()) }
    }
}
