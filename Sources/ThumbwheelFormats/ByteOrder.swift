/// The order in which the bytes of an integer are stored.
enum ByteOrder {
    case big, little
}
