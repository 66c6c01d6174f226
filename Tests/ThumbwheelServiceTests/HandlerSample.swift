import Thumbwheel
import ThumbwheelService

/// What Documentation/Service.md shows, compiled.
enum HandlerSample {
    struct Connection {
        func onClose(_ handler: @escaping @Sendable () -> Void) {}
    }

    static func run(
        library: PhotoLibrary, manager: ImageManager, secret: ServiceSecret, connection: Connection,
        send: @escaping @Sendable (ServiceResponse) -> Void
    ) {
        // begin handler
        let handler = ServiceHandler(
            library: library, manager: manager,
            configuration: ServiceHandler.Configuration {
                $0.secret = secret
                $0.roots = ["/srv/photos"]
            })
        switch handler.answer(to: ServiceRequest(target: "/api/albums")) {
        case .ready(let response): send(response)
        case .pending(let pending):
            pending.whenReady { send($0) }
            connection.onClose { pending.cancel() }
        }
        // end
    }
}
