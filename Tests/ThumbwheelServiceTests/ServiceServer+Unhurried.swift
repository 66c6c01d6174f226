import ThumbwheelServer
import ThumbwheelService

extension ServiceServer {
    /// A server that ends no connection for its slowness.
    static func unhurried(_ handler: ServiceHandler, threadCount: Int = 2) throws -> ServiceServer {
        try ServiceServer(
            handler: handler,
            configuration: ServiceServer.Configuration {
                $0.port = 0
                $0.threadCount = threadCount
                $0.headerSeconds = 3600
                $0.idleSeconds = 3600
            })
    }
}
