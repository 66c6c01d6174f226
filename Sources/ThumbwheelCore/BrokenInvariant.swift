/// Two parts of a value that contradict one another: thrown, not trapped, so that a simulation can say which events led there.
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
