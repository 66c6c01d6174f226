import CMicroHTTPD

/// The functions that libmicrohttpd calls, each of which finds its objects behind the pointers and hands over to the core.
///
/// A request's object is retained from its first line until it is complete, and a connection's from its coming until it goes:
/// libmicrohttpd calls for both ends on every path.
enum ServerCallbacks {
    /// - Parameter core: Not retained: the server outlives its daemon's threads, and has the core.
    static func callbacks(of core: ServerCore) -> tw_mhd_callbacks {
        var callbacks = tw_mhd_callbacks()
        callbacks.context = Unmanaged.passUnretained(core).toOpaque()
        callbacks.connect = { context, connection, peer, code in
            guard let context, let connection, let peer else { return }
            let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
            if tw_mhd_is_start(code) != 0 {
                let new = core.peers.add(tw_mhd_socket(connection))
                new.expect(within: core.configuration.headerSeconds * 1000)
                peer.pointee = Unmanaged.passRetained(new).toOpaque()
            } else if let pointer = peer.pointee {
                core.peers.remove(Unmanaged<Peer>.fromOpaque(pointer).takeRetainedValue())
                peer.pointee = nil
            }
        }
        callbacks.begin = { context, target, connection in
            guard let context, let target, let connection else { return nil }
            let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
            let peer = tw_mhd_peer(connection).map { Unmanaged<Peer>.fromOpaque($0).takeUnretainedValue() }
            return Unmanaged.passRetained(core.begin(target, peer)).toOpaque()
        }
        callbacks.handle = { context, connection, _, method, version, upload, uploadCount, request in
            guard let context, let connection, let method, let version, let pointer = request?.pointee, let uploadCount
            else {
                return tw_mhd_no()
            }
            let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
            let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : uploadCount.pointee)
            uploadCount.pointee = 0
            return core.handle(
                exchange, connection, method: String(cString: method), version: version, upload: bytes)
                ? tw_mhd_yes() : tw_mhd_no()
        }
        callbacks.complete = { context, _, request, code in
            guard let context, let request, let pointer = request.pointee else { return }
            request.pointee = nil
            let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
            let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
            core.end(exchange, isComplete: tw_mhd_is_complete(code) != 0)
        }
        return callbacks
    }
}
