/// A connection of libmicrohttpd, for closures that other threads run.
///
/// Unchecked, because the pointer is used only while the connection is suspended, and once: to resume it. A suspended connection
/// is neither freed nor touched by the server.
struct ConnectionPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}
