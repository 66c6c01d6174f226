import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks

/// The bytes of a resource as an asynchronous sequence of chunks of at most 256 KiB.
///
/// Each chunk is read when the consumer asks for it, on a thread of the library. Nothing is read ahead, so the reading
/// pauses when the consumer pauses. Each loop over the sequence opens the resource again.
public struct AssetResourceChunks: AsyncSequence, Sendable {
    /// A part of the resource's bytes; never empty.
    public typealias Element = [UInt8]
    public typealias Failure = AssetResourceError

    private let resource: AssetResource
    private let options: AssetResourceRequestOptions

    init(_ resource: AssetResource, _ options: AssetResourceRequestOptions) {
        self.resource = resource
        self.options = options
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(
            reading: ResourceReading(resource, isNetworkAccessAllowed: options.isNetworkAccessAllowed), options: options
        )
    }

    /// Reads a resource from its beginning to its end.
    public struct Iterator: AsyncIteratorProtocol {
        /// The open resource and the offset up to which it has been read; nil after the last chunk or an error.
        private var reading: ResourceReading?
        private let options: AssetResourceRequestOptions

        fileprivate init(reading: ResourceReading, options: AssetResourceRequestOptions) {
            self.reading = reading
            self.options = options
        }

        /// Reads the next chunk; nil at the end of the resource.
        ///
        /// - Throws: `AssetResourceError`, `.cancelled` if the task or the token was cancelled; the sequence is over
        ///   then.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(AssetResourceError) -> [UInt8]? {
            guard let current = reading.take() else { return nil }
            let read = await Self.chunk(of: current, unless: options.cancellationToken)
            guard let (chunk, rest) = try read.get() else { return nil }
            var stop = false
            options.progressHandler?(rest.fraction, &stop)
            if stop { throw .cancelled }
            reading = rest
            return chunk
        }

        private typealias Outcome = Result<(chunk: [UInt8], rest: ResourceReading)?, AssetResourceError>

        private static func chunk(of reading: ResourceReading, unless token: CancellationToken?) async -> Outcome {
            let answer = FirstAnswer<Outcome>()
            let registration = token?.onCancel { answer.set(.failure(.cancelled)) }
            defer { if let registration { token?.removeHandler(registration) } }
            return await withTaskCancellationHandler {
                await answer.value(askingBy: {
                    BlockingThreads.reads.run {
                        answer.set(
                            Result { () throws(AssetResourceError) in
                                var reading = reading
                                return try reading.next().map { ($0, reading) }
                            })
                    }
                })
            } onCancel: {
                answer.set(.failure(.cancelled))
            }
        }
    }
}
