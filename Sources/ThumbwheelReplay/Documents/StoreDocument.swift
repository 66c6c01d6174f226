/// The contents of a store of images: on disk, or shared by servers over Redis.
public struct StoreDocument: Encodable, Sendable {
    /// The name and the version of this document's format.
    public let schema = "thumbwheel.store/1"
    /// The number of values.
    public var entries: Int
    /// The bytes of all files, or of the memory that Redis takes.
    public var bytes: Int
    /// The bytes of all values.
    public var valueBytes: Int
    /// The bytes that the store may take; 0 for a Redis without a limit.
    public var bound: Int
    /// The number of values that say that an image cannot be made.
    public var negative: Int
    /// The number of values that a check has found damaged, and removed.
    public var damaged: Int

    /// What Redis gives up when its memory is full; nil for a store on disk.
    public var evictionPolicy: String?

    /// Makes a document from its parts.
    public init(entries: Int, bytes: Int, valueBytes: Int, bound: Int, negative: Int, damaged: Int) {
        self.entries = entries
        self.bytes = bytes
        self.valueBytes = valueBytes
        self.bound = bound
        self.negative = negative
        self.damaged = damaged
    }
}
