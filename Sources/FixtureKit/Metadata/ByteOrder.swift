/// Which end of a number comes first.
public enum ByteOrder: Sendable, Hashable, CaseIterable {
    case bigEndian
    case littleEndian
}
