import CIsolation
import Glibc
import ThumbwheelCore
import ThumbwheelRendering

/// A host of decoder processes for tests that would disturb other tests in their own process.
enum PlantedHost {
    /// What the words of the command line ask for.
    ///
    /// - `restrict PROTECTION PROGRAM…`: runs a program on a system that refuses `namespaces`, the `callFilter`
    ///   or descriptors of processes (`pidfd`).
    /// - `plain`, `ignoring`, `handling`, `waiting`: decodes files, some of which crash their decoders, in a host that has
    ///   its own way with the ends of its children, and prints a line of counts.
    /// - `lingering`: decodes a file, prints the numbers of its processes, and waits for its own end.
    /// - `failing`: tries to decode files, and prints how often that failed and how many children were left.
    static func run(_ words: [String]) -> Never {
        // The thread of the test that has started this program may have blocked all signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigprocmask(SIG_SETMASK, &signals, nil)
        switch words.first {
        case "restrict": restrict(Array(words.dropFirst()))
        case "lingering": linger()
        case "failing": fail()
        case "ignoring": signal(SIGCHLD, SIG_IGN)
        case "handling":
            signal(SIGCHLD) { _ in while waitpid(-1, nil, WNOHANG) > 0 {} }
        case "waiting":
            _ = DetachedThread.start(named: "waiting") {
                while true {
                    // Without a child the call fails at once.
                    if waitpid(-1, nil, 0) < 0 { usleep(200) }
                }
            }
        default: break
        }
        decode()
    }

    private static func makePool(readyCount: Int = 2) -> DecoderPool {
        var configuration = DecoderPool.Configuration(readyCount: readyCount)
        configuration.executable = "/proc/self/exe"
        // On a busy machine the signal of a crash may come late.
        configuration.signalMilliseconds = 600_000
        return DecoderPool(configuration)
    }

    private static func render(_ fault: String, by pool: DecoderPool) throws(RenderError) -> RenderedImage {
        let bitmap = Bitmap(size: PixelSize(width: 60, height: 40), format: .rgb) {
            for index in $0.indices { $0[index] = UInt8(truncatingIfNeeded: index) }
        }
        let file = try bitmap.encoded(as: .webp(quality: 80)) + Array("PLANTED \(fault)".utf8)
        return try Renderer(assistants: nil, isolation: RenderIsolation(.all, pool: pool)).render(
            MemoryByteSource(file), options: RenderOptions(targetSize: PixelSize(width: 20, height: 20)),
            // On a busy machine, processes may take long to start.
            limits: RenderLimits(duration: .seconds(3600)))
    }

    /// Prints the images, the crashes by signal, other errors, whether processes were refused, and the protections that
    /// are missing.
    private static func decode() -> Never {
        var (images, crashes, others) = (0, 0, 0)
        var pool: DecoderPool? = makePool()
        for _ in 0..<8 {
            for fault in ["none", "segfault", "none", "socket"] {
                do throws(RenderError) {
                    _ = try render(fault, by: pool!)
                    images += 1
                } catch .decoderFailed(let signal) where signal == SIGSEGV || signal == SIGSYS {
                    crashes += 1
                } catch {
                    others += 1
                }
            }
        }
        let statistics = pool!.statistics
        let missing = statistics.missingProtections.names.joined(separator: ",")
        pool = nil
        let refusals = statistics.refused == 0 ? "none" : "some"
        print("\(images) images, \(crashes) crashes, \(others) others, refused: \(refusals), missing: \(missing)")
        exit(0)
    }

    private static func linger() -> Never {
        let pool = makePool()
        _ = try? render("none", by: pool)
        _ = try? pool.withProcess { process in
            print("\(process) \(parent(of: process))")
            fflush(nil)
            while true { pause() }
        }
        exit(1)
    }

    /// No process is started ahead, on another thread, because that thread would collect its own child.
    private static func fail() -> Never {
        let pool = makePool(readyCount: 0)
        var (failures, children) = (0, 0)
        for _ in 0..<4 where (try? render("none", by: pool)) == nil { failures += 1 }
        // Waits for the ends of all children. Without a child the call fails at once.
        while waitpid(-1, nil, 0) > 0 { children += 1 }
        print("\(failures) failures, \(children) children left")
        exit(0)
    }

    static func parent(of process: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let file = open("/proc/\(process)/stat", O_RDONLY)
        defer { close(file) }
        let count = max(0, read(file, &bytes, bytes.count))
        // After the name, in parentheses, come the state and the parent.
        let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: ")").last?.split(separator: " ")
        return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
    }

    private static func restrict(_ words: [String]) -> Never {
        let refuse = tw_return(UInt32(truncatingIfNeeded: tw_refuse))
        let allow = tw_return(UInt32(truncatingIfNeeded: tw_allow))
        let filter: [sock_filter]
        switch words.first {
        case "namespaces":
            filter = [tw_load(0), tw_if_equal(UInt32(truncatingIfNeeded: tw_call_unshare), 0, 1), refuse, allow]
        case "pidfd":
            filter = [tw_load(0), tw_if_equal(UInt32(truncatingIfNeeded: tw_call_pidfd_open), 0, 1), refuse, allow]
        case "callFilter":
            // The command of `prctl` is the first argument, which lies at byte 16 of the filter's data.
            filter = [
                tw_load(0), tw_if_equal(UInt32(truncatingIfNeeded: tw_call_prctl), 0, 3), tw_load(16),
                tw_if_equal(UInt32(PR_SET_SECCOMP), 0, 1), refuse, allow,
            ]
        default: exit(2)
        }
        let words = words.dropFirst()
        guard let program = words.first, tw_no_new_privileges() == 0,
            tw_install_filter(filter, UInt16(filter.count)) == 0
        else { exit(2) }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        execv(program, &arguments)
        exit(3)
    }
}
