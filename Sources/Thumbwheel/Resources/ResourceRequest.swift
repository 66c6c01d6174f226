import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline

/// One request for the bytes of a resource, from its first read to its one completion.
///
/// Each chunk is read on a thread that is allowed to block, and only after the sink, which takes the bytes, has taken
/// the chunk before it. So a slow sink delays no other request, and a request has only one chunk in memory.
final class ResourceRequest: Sendable {
    private enum Phase {
        /// A thread is reading the next chunk, which may take long. If the request is cancelled in this phase, it ends
        /// at once, and the chunk is thrown away.
        case reading
        /// The sink is taking a chunk. If the request is cancelled in this phase, its completion handler is called only
        /// after the sink has returned, because no chunk may be delivered after the completion.
        case passing
        case ended
    }

    private struct State {
        var phase = Phase.reading
        var isCancelled = false
        var registration: CancellationToken.Registration?
    }

    private let sink: any ResourceSink
    /// The executor that runs the sink, which is the object that takes the bytes.
    private let sinkExecutor: DeliveryExecutor
    private let options: AssetResourceRequestOptions
    private let completion: @Sendable (AssetResourceError?) -> Void
    private let state = Mutex(State())

    /// Makes a request that has not started yet.
    ///
    /// - Parameter completion: called once, on the executor that the options name.
    init(
        into sink: any ResourceSink, on sinkExecutor: DeliveryExecutor, options: AssetResourceRequestOptions,
        completion: @escaping @Sendable (AssetResourceError?) -> Void
    ) {
        self.sink = sink
        self.sinkExecutor = sinkExecutor
        self.options = options
        self.completion = completion
    }

    func start(_ reading: ResourceReading) {
        if let token = options.cancellationToken {
            let registration = token.onCancel { [weak self] in self?.cancel() }
            let isOver = state.withLock { state in
                state.registration = registration
                return state.phase == .ended
            }
            if isOver { token.removeHandler(registration) }
        }
        readNext(reading)
    }

    func cancel() {
        let isToEnd = state.withLock { state in
            state.isCancelled = true
            return state.phase == .reading
        }
        if isToEnd { end(.cancelled) }
    }

    private func readNext(_ reading: ResourceReading) {
        BlockingThreads.reads.run { [self] in
            var reading = reading
            do throws(AssetResourceError) {
                guard state.withLock({ $0.phase == .reading }) else { return }
                let chunk = try reading.next()
                // If the request is cancelled from here on, it ends once the sink has taken the chunk.
                guard advance(from: .reading, to: .passing) else { return }
                sinkExecutor.run { [self, reading] in pass(chunk, of: reading) }
            } catch {
                end(error)
            }
        }
    }

    /// Passes a chunk to the sink, reports the progress, and then reads the next chunk. At the end of the resource,
    /// finishes the sink and completes the request.
    ///
    /// - Parameter chunk: the next chunk; nil at the end of the resource.
    private func pass(_ chunk: [UInt8]?, of reading: ResourceReading) {
        do throws(AssetResourceError) {
            guard let chunk else {
                try sink.finish()
                return end(nil)
            }
            try sink.receive(chunk)
        } catch {
            return end(error)
        }
        guard let progressHandler = options.progressHandler else { return continueReading(reading) }
        options.executor.run { [self] in
            var isToStop = false
            progressHandler(reading.fraction, &isToStop)
            isToStop ? end(.cancelled) : continueReading(reading)
        }
    }

    private func continueReading(_ reading: ResourceReading) {
        guard advance(from: .passing, to: .reading) else { return end(.cancelled) }
        readNext(reading)
    }

    /// Moves the request from one phase to the next.
    ///
    /// - Returns: whether the request goes on; false if it has ended or has been cancelled.
    private func advance(from phase: Phase, to next: Phase) -> Bool {
        state.withLock { state in
            guard state.phase == phase, !state.isCancelled else { return false }
            state.phase = next
            return true
        }
    }

    private func end(_ error: AssetResourceError?) {
        let (isFirst, registration) = state.withLock { state in
            defer { state.phase = .ended }
            return (state.phase != .ended, state.registration.take())
        }
        guard isFirst else { return }
        if let registration { options.cancellationToken?.removeHandler(registration) }
        if error != nil { sink.abandon() }
        options.executor.run { [self] in completion(error) }
    }
}
