#if os(Linux)
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A `FolderKernel` that uses Linux's inotify (see inotify(7)).
final class InotifyKernel: FolderKernel {
    private struct State {
        var paths: [Int32: FilePath] = [:]
        var watches: [FilePath: Int32] = [:]
        /// The paths in `watches`, by their folders.
        var folders = PathTree()

        mutating func forget(_ folder: FilePath) {
            watches[folder] = nil
            folders.remove(folder)
        }
    }

    private let queue: Int32
    /// The two ends of a pipe. `wake` writes a byte to `waker`. `events` waits for inotify's events and for a byte at
    /// `woken`, and returns when either arrives.
    private let (waker, woken): (Int32, Int32)
    private let state = Mutex(State())

    /// The events that the kernel has to report. `IN_EXCL_UNLINK` excludes events of files that were deleted while they
    /// were open.
    private static let mask =
        UInt32(IN_CREATE) | UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM)
        | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)
    private static let bufferByteCount = 64 << 10

    /// Opens a queue for inotify's events, and a pipe by which `wake` ends a wait for events.
    ///
    /// - Throws: the system's error; it is `EMFILE` if the user has too many event queues.
    init() throws(FileStatus.Failure) {
        var ends: [Int32] = [-1, -1]
        // `O_NONBLOCK` and `O_CLOEXEC` have the same values as inotify's own flags `IN_NONBLOCK` and `IN_CLOEXEC`.
        queue = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard queue >= 0 else { throw FileStatus.Failure(code: errno) }
        guard pipe(&ends) == 0 else {
            let code = errno
            close(queue)
            throw FileStatus.Failure(code: code)
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (waker, woken) = (ends[1], ends[0])
    }

    deinit {
        for descriptor in [queue, waker, woken] { close(descriptor) }
    }

    var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    func watch(_ folder: FilePath) throws(FileStatus.Failure) {
        let watch = inotify_add_watch(queue, folder.text, Self.mask)
        guard watch >= 0 else { throw FileStatus.Failure(code: errno) }
        state.withLock { state in
            // If a watched folder was renamed, inotify returns the watch that the folder already has. The entry for its
            // former path is then removed.
            if let former = state.paths[watch], former != folder { state.forget(former) }
            state.paths[watch] = folder
            state.watches[folder] = watch
            state.folders.insert(folder)
        }
    }

    func unwatch(_ folder: FilePath) {
        let ended = state.withLock { state in
            let ended = state.folders.removeAll(atOrBelow: folder).compactMap { path in
                state.watches.removeValue(forKey: path)
            }
            for watch in ended { state.paths[watch] = nil }
            return ended
        }
        for watch in ended { inotify_rm_watch(queue, watch) }
    }

    func wake() {
        var byte: UInt8 = 1
        // If the pipe is full, the write fails, but the bytes in the pipe are enough to wake the reader.
        _ = write(waker, &byte, 1)
    }

    func events(until deadline: Duration?) -> [FolderEvent] {
        var descriptors = [queue, woken].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let patience = deadline.map { deadline in
            let left = max(.zero, deadline - now).components
            // The time is rounded up, because a wait that ends too early would have to be repeated.
            let milliseconds = left.seconds.multipliedReportingOverflow(by: 1000)
            return milliseconds.overflow
                ? Int32.max : Int32(clamping: milliseconds.partialValue + left.attoseconds / 1_000_000_000_000_000 + 1)
        }
        guard poll(&descriptors, 2, patience ?? -1) > 0 else { return [] }
        if descriptors[1].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(woken, &bytes, bytes.count) > 0 {}
        }
        return descriptors[0].revents == 0 ? [] : readEvents()
    }

    private func readEvents() -> [FolderEvent] {
        var events: [FolderEvent] = []
        withUnsafeTemporaryAllocation(byteCount: Self.bufferByteCount, alignment: 8) { buffer in
            let count = read(queue, buffer.baseAddress, buffer.count)
            let headSize = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + headSize <= count {
                let head = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(count, offset + headSize + Int(head.len))
                let name = buffer[offset + headSize..<end].prefix { $0 != 0 }
                if let event = event(head, name) { events.append(event) }
                offset = end
            }
        }
        return events
    }

    private func event(_ head: inotify_event, _ name: Slice<UnsafeMutableRawBufferPointer>) -> FolderEvent? {
        func has(_ flag: Int32) -> Bool { head.mask & UInt32(flag) != 0 }
        if has(IN_Q_OVERFLOW) { return .overflow }
        let folder = state.withLock { state in
            let folder = state.paths[head.wd]
            if has(IN_IGNORED), let folder {
                state.paths[head.wd] = nil
                if state.watches[folder] == head.wd { state.forget(folder) }
            }
            return folder
        }
        guard let folder, !has(IN_IGNORED) else { return nil }
        if has(IN_DELETE_SELF) || has(IN_MOVE_SELF) || has(IN_UNMOUNT) { return .vanished(folder) }
        // Hidden files are ignored, because imports leave them out. Names that are not valid UTF-8 are ignored, because
        // no path can be made from them; scans report such files as skipped.
        guard name.first != UInt8(ascii: "."), let text = String(validating: name, as: UTF8.self), !text.isEmpty else {
            return nil
        }
        let path = folder.appending(text)
        let isFolder = has(IN_ISDIR)
        if has(IN_DELETE) || has(IN_MOVED_FROM) { return .removed(path, wasFolder: isFolder) }
        if isFolder {
            return has(IN_CREATE) || has(IN_MOVED_TO) ? .folder(path, isComplete: has(IN_MOVED_TO)) : nil
        }
        if has(IN_MOVED_TO) || has(IN_CLOSE_WRITE) { return .written(path) }
        return has(IN_ATTRIB) ? .touched(path) : .growing(path)
    }
}
#endif
