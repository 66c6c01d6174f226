/// Which end of a number comes first.
package enum ByteOrder: Sendable, Hashable, CaseIterable {
    case bigEndian
    case littleEndian
}
