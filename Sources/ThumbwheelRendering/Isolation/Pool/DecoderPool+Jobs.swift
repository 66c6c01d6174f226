import ThumbwheelCore

#if os(Linux)
import Glibc
#endif

extension DecoderPool {
    #if os(Linux)
    /// The number of milliseconds that this process waits beyond a job's time limit before it kills the decoder
    /// process. In this time, the decoder itself can report that the limit was reached.
    private static let grace = 250.0
    /// The largest number of processes that are tried for one job. A try fails only if a process has ended unnoticed
    /// while it was idle. If no process is idle, a new one is started, so this limit is hardly ever reached.
    private static let attemptLimit = 64
    /// The number of milliseconds that a process has to end after its connection has ended.
    private static let endMilliseconds: Int32 = 50
    /// The number of bytes from the start of a file that are sent with a job, so that the decoder need not ask for
    /// them. They are sent only if the whole file is in memory. If the file is open in this process, its descriptor is
    /// sent and no bytes.
    private static let frontByteCount = MessageFormat.frontLimit

    /// Does a job in a decoder process, while the calling thread waits.
    ///
    /// - Parameters:
    ///   - source: the file's bytes. If they come from a file that is open in this process, the decoder gets the file's
    ///     descriptor. Otherwise, the decoder asks this process for bytes.
    ///   - assistants: the idle worker threads of this process. The decoder may run a second thread while one of them
    ///     is kept waiting for it. So the two processes together use no more processors than this process would use
    ///     alone.
    func run(
        _ work: DecodeJob.Work, of source: any ByteSource, limits: RenderLimits, makesThumbHash: Bool,
        assistants: (any RenderAssistants)?, cancellation: CancellationToken?
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        if let cancellation, cancellation.isCancelled { throw .cancelled }
        let (contents, descriptor) = try Self.contents(of: source)
        let job = DecodeJob(contents: contents, work: work, makesThumbHash: makesThumbHash, limits: limits)
        let deadline = MonotonicTime.now.advanced(by: limits.duration).advanced(byMilliseconds: Self.grace)
        let loan = try takeProcess(for: job, with: descriptor)
        let running = RunningDecode(loan.handle)
        let registration = cancellation?.onCancel { running.kill(because: .cancelled) }
        let alarm = AlarmClock.shared.alarm { running.kill(because: .overdue) }
        alarm.set(at: deadline)
        // The dialogue is over, and holds the window no longer, when this function returns.
        func converse() -> DecodeDialogue.End {
            var dialogue = DecodeDialogue(
                loan.handle.socket, window: job.needsWindow ? loan.handle.window : nil, source: source,
                assistants: assistants, limits: limits, expectedCount: work.imageCount)
            return dialogue.run()
        }
        let end = converse()
        let killing = running.end()
        if let registration { cancellation?.removeHandler(registration) }
        alarm.stop()
        return try results(of: end, killing, loan)
    }

    /// Takes a process, and gives it the job. An idle process may have ended unnoticed, for example because memory was
    /// short. The job then does not reach it, and another process gets the job.
    private func takeProcess(for job: DecodeJob, with descriptor: Int32?) throws(RenderError) -> Loan {
        for _ in 0..<Self.attemptLimit {
            let loan = try take()
            var passed = descriptor
            if job.needsWindow {
                guard let window = loan.handle.window else { throw .unavailable(reason: "no memory for the decoder") }
                passed = window.descriptor
            }
            if loan.handle.socket.send(HostMessage.job(job).bytes, with: passed) { return loan }
        }
        throw .unavailable(reason: "the decoders' processes end before they get a job")
    }

    /// Takes an idle process, and calls `body` with its process number (pid). No job gets the process during the call.
    /// For measurements.
    package func withProcess<Result>(_ body: (Int) -> Result) throws(RenderError) -> Result {
        let loan = try take()
        defer { giveBack(loan) }
        return body(loan.handle.processIdentifier)
    }

    /// Returns the results of a job that has ended, and gives its process back to the pool, or ends the process.
    func results(
        of end: DecodeDialogue.End, _ killing: DecoderEndReason?, _ loan: Loan
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        if let killing {
            // The thread that cancels may have been interrupted after it has noted the reason, and before it kills the
            // process. The job's thread kills the process too, so that it has ended when the job has. A second kill
            // does no harm.
            loan.handle.kill()
            note(killing, of: loan)
            throw killing == .cancelled ? .cancelled : .limitExceeded(limit: .duration)
        }
        switch end {
        case .images(let results):
            giveBack(loan)
            return results
        case .failed(let error):
            giveBack(loan)
            throw error
        case .broken:
            note(.crashed, of: loan)
            throw .decoderFailed(signal: nil)
        case .ended:
            // A decoder that closes its connection and goes on must not keep this thread waiting for its end. A process
            // that crashes just now, and takes long, keeps the signal of its crash although it is killed.
            let isKilled = !loan.handle.hasEnded(within: Self.endMilliseconds)
            if isKilled { loan.handle.kill() }
            var signal =
                loan.template.signal(
                    ofEnded: loan.handle.processIdentifier, within: configuration.signalMilliseconds) ?? 0
            // The signal that this thread has sent tells nothing about the decoder.
            if isKilled, signal == Int(SIGKILL) { signal = 0 }
            note(.crashed, of: loan)
            throw .decoderFailed(signal: signal == 0 ? nil : Int32(signal))
        }
    }

    /// Tells where the decoder finds the bytes of a source: in an open file, or by asking this process. For an open
    /// file, the file's descriptor is returned as well.
    private static func contents(
        of source: any ByteSource
    ) throws(RenderError) -> (DecodeJob.Contents, descriptor: Int32?) {
        if let (file, start) = source.openFile {
            return (.file(start: start, byteCount: source.byteCount), file.descriptor)
        }
        do throws(ByteSourceError) {
            // Sends the first bytes of the file with the job, but only if the whole file is in memory. A source that
            // holds only some parts of the file (`GatheredByteSource`) notes each read of a missing part, and the whole
            // file is then fetched. Reading the first bytes here would cause that even if the decoder needs none of
            // them.
            let isMemory = source.whole.base is MemoryByteSource
            let front = isMemory ? try source.bytes(in: 0..<frontByteCount) : []
            return (.requested(byteCount: source.byteCount, front: front, readsAhead: isMemory), nil)
        } catch {
            throw .source(error)
        }
    }
    #else
    func run(
        _ work: DecodeJob.Work, of source: any ByteSource, limits: RenderLimits, makesThumbHash: Bool,
        assistants: (any RenderAssistants)?, cancellation: CancellationToken?
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        throw .unavailable(reason: "decoders outside the process need Linux")
    }

    package func withProcess<Result>(_ body: (Int) -> Result) throws(RenderError) -> Result {
        throw .unavailable(reason: "decoders outside the process need Linux")
    }
    #endif
}

extension DecodeJob {
    /// Whether the decoder may have to ask for bytes of the file. It then needs a window: shared memory in which the
    /// host places these bytes.
    fileprivate var needsWindow: Bool {
        if case .requested(let byteCount, let front, _) = contents { byteCount > front.count } else { false }
    }
}

extension DecodeJob.Work {
    /// The number of images that the work makes.
    fileprivate var imageCount: Int {
        switch self {
        case .images(let options): options.count
        case .preview: 1
        case .reading: 0
        }
    }
}
