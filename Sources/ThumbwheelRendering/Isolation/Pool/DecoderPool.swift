import ThumbwheelCore
import ThumbwheelLocks

/// The decoder processes of a host, the program that uses this library. Each of them does one job at a time.
package final class DecoderPool: Sendable {
    /// The limits of the processes and the place of their executable.
    package struct Configuration: Sendable, Hashable {
        /// The path of the decoder's executable; nil to look for it.
        package var executable: String?
        /// The number of idle processes that are kept ready for jobs.
        package var readyCount = 1
        /// The largest number of idle processes that are kept. After a job, a process is kept for further jobs if fewer
        /// than this number are idle. Otherwise the process ends.
        package var idleLimit = 16
        /// The largest number of bytes of memory that a process may take for one image.
        package var memoryByteCount = 1 << 30
        /// The largest number of bytes that the pixels of one image may take.
        package var outputByteCount = 1 << 30
        /// The number of jobs after which a process is replaced by a fresh one, so that leaks and damage do not add up.
        package var jobLimit = 256
        /// The largest number of seconds of processor time that one job may take.
        package var jobProcessorSeconds = 30
        /// The number of milliseconds that a job waits for the signal that has ended its process. Without the signal the
        /// error tells none.
        package var signalMilliseconds = 1000

        /// Makes the configuration of decoder processes for renderings under `limits`.
        ///
        /// - Parameter readyCount: the number of idle processes that are kept ready for jobs.
        package init(limits: RenderLimits = RenderLimits(), readyCount: Int = 1) {
            self.readyCount = readyCount
            let file = limits.byteCount
            // Adds memory for the file, and `spareByteCount` for the stack and the reserves of allocators.
            // `limits.memoryByteCount` covers only the memory that a decoder is predicted to need, without the file,
            // the stack and these reserves.
            memoryByteCount = min(limits.memoryByteCount, 1 << 40) + min(file, 1 << 40) + Self.spareByteCount
            outputByteCount = min(limits.pixelCount, 1 << 36) * Bitmap.PixelFormat.linearRGBA.bytesPerPixel
            jobProcessorSeconds = max(1, Int(min(limits.duration / .seconds(1), 1e6).rounded(.up)))
        }

        private static let spareByteCount = 128 << 20

        #if os(Linux)
        fileprivate var settings: DecoderProgram.Settings {
            DecoderProgram.Settings(
                memoryByteCount: memoryByteCount + min(outputByteCount, 1 << 30), outputByteCount: outputByteCount,
                processorSeconds: jobProcessorSeconds * jobLimit)
        }
        #endif
    }

    package let configuration: Configuration

    /// The bytes of memory that a process holds while it waits for a job, beside the pages that it shares with others.
    package static let idleByteCount = 8 << 20

    /// Makes a pool. The processes are started on another thread, ahead of the first job.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        refill()
    }

    #if os(Linux)
    private struct Idle {
        let handle: DecoderHandle
        var jobCount: Int
    }

    private struct State {
        var template: DecoderTemplate?
        var idle: [Idle] = []
        var isRefilling = false
        /// The number of windows that were given to other threads, which are to unmap them.
        var pendingWindowCount = 0
        var statistics = DecoderStatistics()
    }

    private let state = Mutex(State())

    /// The largest number of windows that may wait for other threads to unmap them. Where decoders crash faster than
    /// these threads unmap, the memory of more windows would be missing elsewhere.
    private static let pendingWindowLimit = 8

    /// A process that one job has for itself. If `giveBack` is called after the job, the process returns to the pool.
    /// If not, the process is killed when its handle is released.
    struct Loan {
        let handle: DecoderHandle
        let template: DecoderTemplate
        let jobCount: Int
    }

    /// Takes an idle process, or starts one if none is idle.
    func take() throws(RenderError) -> Loan {
        let (template, idle) = state.withLock { state in (state.template, state.idle.popLast()) }
        if let template, let idle {
            return Loan(handle: idle.handle, template: template, jobCount: idle.jobCount)
        }
        let (own, handle) = try start()
        return Loan(handle: handle, template: own, jobCount: 0)
    }

    /// Puts a process back into the pool after its job. The job must have ended in a way that the message protocol
    /// allows. The process is ended instead if it has done `Configuration.jobLimit` jobs, if its template process has
    /// been replaced, or if enough processes are idle.
    func giveBack(_ loan: Loan) {
        let isKept = state.withLock { state in
            state.statistics.jobs += 1
            let jobCount = loan.jobCount + 1
            guard jobCount < configuration.jobLimit, state.template === loan.template,
                state.idle.count < configuration.idleLimit
            else { return false }
            state.idle.append(Idle(handle: loan.handle, jobCount: jobCount))
            return true
        }
        if !isKept { refill() }
    }

    /// Counts a process that was ended, or has ended, during its job. Starts a new process if too few are idle.
    func note(_ end: DecoderEndReason, of loan: Loan) {
        state.withLock { state in
            state.statistics.jobs += 1
            switch end {
            case .cancelled: state.statistics.cancelled += 1
            case .overdue: state.statistics.overdue += 1
            case .crashed: state.statistics.crashed += 1
            }
        }
        refill(unmapping: loan.handle.takeWindow())
    }

    /// Counts of the processes since the pool was made.
    package var statistics: DecoderStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.idle = state.idle.count
            return statistics
        }
    }

    /// Starts a decoder process. Decoder processes are forked from a template process, which is started first if none
    /// is running.
    ///
    /// - Throws: `.unavailable` if no process can be started, or if it lacks a required protection. Such a process is
    ///   counted as refused.
    private func start() throws(RenderError) -> (DecoderTemplate, DecoderHandle) {
        let (template, handle) = try makeProcess()
        let missing = Containment.required.subtracting(handle.containment)
        state.withLock { state in
            state.statistics.containment = handle.containment
            if missing.isEmpty { state.statistics.started += 1 } else { state.statistics.refused += 1 }
        }
        guard missing.isEmpty else {
            let names = missing.names.joined(separator: ", ")
            throw .unavailable(reason: "the system does not grant decoders a required protection: \(names)")
        }
        return (template, handle)
    }

    /// Forks a process from the template, and waits for its greeting. A template that has ended is replaced once.
    private func makeProcess() throws(RenderError) -> (DecoderTemplate, DecoderHandle) {
        let known = try template(otherThan: nil)
        do throws(RenderError) {
            return (known, try known.makeProcess())
        } catch {
            let fresh = try template(otherThan: known)
            return (fresh, try fresh.makeProcess())
        }
    }

    private func template(otherThan failed: DecoderTemplate?) throws(RenderError) -> DecoderTemplate {
        let known = state.withLock { $0.template }
        if let known, known !== failed { return known }
        let path = try DecoderExecutable.path(configured: configuration.executable)
        let fresh = try DecoderTemplate(executable: path, settings: configuration.settings)
        // The idle processes that were forked from the previous template process. They are moved to this list while the
        // lock is held, and killed after the lock has been released.
        var dropped: [Idle] = []
        // Keeps only one template process. If two threads start a template at the same time, the template of the thread
        // that comes second to this place is dropped.
        let kept = state.withLock { state -> DecoderTemplate in
            if let other = state.template, other !== failed { return other }
            state.template = fresh
            swap(&dropped, &state.idle)
            return fresh
        }
        return kept
    }

    /// Starts processes on another thread until as many are idle as the configuration says.
    ///
    /// - Parameter window: the window of a process that has ended. The other thread unmaps it, unless
    ///   `pendingWindowLimit` windows wait for that already. The caller then unmaps it, by releasing it.
    private func refill(unmapping window: SharedWindow? = nil) {
        let (isNeeded, pending) = state.withLock { state -> (Bool, SharedWindow?) in
            let isNeeded = !state.isRefilling && state.idle.count < configuration.readyCount
            if isNeeded { state.isRefilling = true }
            guard let window, state.pendingWindowCount < Self.pendingWindowLimit else { return (isNeeded, nil) }
            state.pendingWindowCount += 1
            return (isNeeded, window)
        }
        guard isNeeded || pending != nil else { return }
        BlockingThreads.reads.run { [weak self] in
            while isNeeded, let self, self.addIdle() {}
            guard let pending else { return }
            // The closure usually holds the last reference to the window, which is then unmapped when the closure is
            // destroyed.
            self?.state.withLock { $0.pendingWindowCount -= 1 }
            withExtendedLifetime(pending) {}
        }
    }

    /// Starts a process and adds it to the idle ones.
    ///
    /// - Returns: true if more processes must be started to have `configuration.readyCount` idle ones. False if there
    ///   are enough, or if no process was added.
    private func addIdle() -> Bool {
        let made = try? start()
        return state.withLock { state in
            if let (template, handle) = made, state.template === template {
                state.idle.append(Idle(handle: handle, jobCount: 0))
                if state.idle.count < configuration.readyCount { return true }
            }
            state.isRefilling = false
            return false
        }
    }
    #else
    private func refill() {}

    package var statistics: DecoderStatistics { DecoderStatistics() }
    #endif
}
