/// The order in which the bytes of an integer are stored.
package enum ByteOrder: Sendable {
    case big, little
}
