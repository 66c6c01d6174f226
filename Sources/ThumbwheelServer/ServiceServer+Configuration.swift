import ThumbwheelCore

extension ServiceServer {
    /// The settings of a server.
    public struct Configuration: Sendable {
        /// The address to listen at, in digits: `127.0.0.1` for this machine alone, `::` for everybody.
        public var host = "127.0.0.1"
        /// The port; 0 for any that is free.
        public var port = 8080
        /// The threads that receive and send. They do not render.
        public var threadCount = max(1, min(4, HostResources.current.processorCount))
        /// How many connections may be open.
        public var connectionLimit = 4096
        /// How many connections may be open from one address; 0 for any number, which is right behind a proxy, from whose address
        /// all connections come.
        public var connectionLimitPerAddress = 0
        /// The seconds after which a connection without traffic is closed. One that waits for a picture, or for events, is
        /// not.
        public var idleSeconds = 30
        /// The seconds in which a request's header must have come.
        public var headerSeconds = 10
        /// The bytes a second that a client must take of a response, and send of a body, after as many seconds as a header may
        /// take.
        public var leastBytesPerSecond = 16 << 10
        /// The bytes that a request's header may take, and a piece of a response. Above 32 KiB, libmicrohttpd has each connection
        /// mapped into memory and unmapped again, for which all threads of the process wait.
        public var connectionByteLimit = 32 << 10
        /// The bytes that the bodies of all requests that are coming in may take together; what is more is answered by 503.
        public var bodyByteLimit = 64 << 20
        /// Called with each request that is over, on a thread of the server. It must not block for long.
        public var log: (@Sendable (AccessRecord) -> Void)?

        /// Makes a configuration.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }
}
