/// The report of images that were made ahead.
public struct WarmDocument: Encodable, Sendable {
    /// An image that could not be made.
    public struct Failure: Encodable, Sendable {
        /// The photograph's path, as it was given or found.
        public var file: String
        /// The size of the image, as in `256x256`.
        public var size: String
        /// The error's code, which is the same in every version.
        public var code: String

        /// Makes an entry from its parts.
        public init(file: String, size: String, code: String) {
            self.file = file
            self.size = size
            self.code = code
        }
    }

    /// The name and the version of this document's format.
    public let schema = "thumbwheel.warm/1"
    /// The number of images that were made.
    public var made: Int
    /// The number of images that the store had already.
    public var kept: Int
    /// The images that could not be made.
    public var failed: [Failure]
    /// The bytes that the store takes on the disk.
    public var bytes: Int
    /// The seconds that it took.
    public var seconds: Double

    /// Makes a document from its parts.
    public init(made: Int, kept: Int, failed: [Failure], bytes: Int, seconds: Double) {
        self.made = made
        self.kept = kept
        self.failed = failed
        self.bytes = bytes
        self.seconds = seconds
    }
}
