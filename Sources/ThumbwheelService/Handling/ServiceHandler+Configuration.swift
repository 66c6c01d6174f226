extension ServiceHandler {
    /// The settings of a handler.
    public struct Configuration: Sendable {
        /// The secret from which names of assets and signatures are made. Servers that stand in for one another share a secret.
        ///
        /// Without one, no address can be signed, and signatures are refused. Names are then the same everywhere where there
        /// is one tenant that needs no token, and change with each handler otherwise.
        public var secret: ServiceSecret?
        /// The sides that pictures are made in. Signed addresses get the very size that they name.
        public var ladder = SizeLadder()
        /// The quality of JPEG and WebP files, from 1 to 100.
        public var quality = 82
        /// How long a request for a picture may take before it is answered by 503; nil for any time.
        public var deadline: Duration? = .seconds(20)
        /// The seconds after which clients that are sent away may try again.
        public var retryAfterSeconds = 1
        /// Whether pictures are only delivered at signed addresses.
        public var requiresSignatures = false
        /// The folders outside of which nothing is delivered, wherever symbolic links lead; without any, everything in the
        /// library is.
        public var roots: [String] = []
        /// The names by which browsers reach a service with one tenant that needs no token, such as `photos.example`, without ports.
        /// Other names in `Host` are refused by 421, because any web site could otherwise have its name lead to the service,
        /// and read everything. Addresses in digits, names without a dot, and those below `localhost`, `local`, `home.arpa` and
        /// `internal` need not be among them. Where tokens are needed, any name may lead to the service.
        public var hosts: [String] = []
        /// Whether photographs that lie elsewhere may be fetched over the network.
        public var allowsNetwork = false
        /// The token that `/metrics` takes. Without one, `/metrics` is open where there is one tenant that needs no token,
        /// and closed otherwise.
        public var operationsToken: String?
        /// How often those who listen for changes are told of new placeholders; nil for never.
        public var placeholderInterval: Duration? = .seconds(5)
        /// Called with each trace that a page has recorded (`?record`), as JSON Lines; nil records none.
        public var traceHandler: (@Sendable ([UInt8]) -> Void)?

        /// Makes a configuration; the defaults suit a gallery at home.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }
}
