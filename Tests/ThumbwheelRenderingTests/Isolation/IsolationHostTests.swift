import CIsolation
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRendering

#if os(Linux)
@Suite(
    "Hosts of decoder processes", .enabled(if: DecoderFixture.isBuilt, Comment(rawValue: DecoderFixture.reasonToSkip)),
    .endsHangs)
struct IsolationHostTests {
    private static func start(_ words: [String]) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(filePath: try #require(BuiltExecutable.path("PlantedDecoder")))
        process.arguments = words
        return try ProcessStart.perform {
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            return (process, output)
        }
    }

    /// Runs the host with planted habits (`PlantedHost`), and returns what it has printed.
    private static func host(_ words: String...) throws -> String {
        let (process, output) = try start(words)
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "images and crashes are told whatever the host does with the ends of its children",
        arguments: ["plain", "ignoring", "handling", "waiting"])
    func children(_ habit: String) throws {
        #expect(try Self.host(habit).hasPrefix("16 images, 16 crashes, 0 others"))
    }

    @Test("without namespaces decoders work, and the statistics tell that they are missing")
    func withoutNamespaces() throws {
        let path = try #require(BuiltExecutable.path("PlantedDecoder"))
        let text = try Self.host("restrict", "namespaces", path, "plain")
        #expect(text.hasPrefix("16 images, 16 crashes, 0 others, refused: none"))
        #expect(text.split(separator: ":").last?.contains("namespaces") ?? false)
    }

    @Test("without a filter of system calls no decoder gets a file, and the statistics tell the reason")
    func withoutFilter() throws {
        let path = try #require(BuiltExecutable.path("PlantedDecoder"))
        let text = try Self.host("restrict", "callFilter", path, "plain")
        #expect(text.hasPrefix("0 images, 0 crashes, 32 others, refused: some"))
        #expect(text.split(separator: ":").last?.contains("callFilter") ?? false)
    }

    @Test("a template whose start fails halfway leaves no child behind")
    func withoutProcessDescriptors() throws {
        let path = try #require(BuiltExecutable.path("PlantedDecoder"))
        #expect(try Self.host("restrict", "pidfd", path, "failing") == "4 failures, 0 children left\n")
    }

    @Test("the processes of a host end with it, however it ends", arguments: [SIGTERM, SIGKILL])
    func ends(_ signal: Int32) throws {
        let (process, output) = try Self.start(["lingering"])
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
        try #require(numbers.count == 2)
        let descriptors = numbers.map { PassedDescriptor(tw_pidfd_open($0)) }
        try #require(descriptors.allSatisfy { $0.rawValue >= 0 })
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        for descriptor in descriptors {
            var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 600_000) == 1)
        }
    }

    @Test("programs that the host starts meanwhile get none of its descriptors")
    func startedPrograms() throws {
        let isolation = DecoderFixture.planted(.all)
        // Of this size the file has a window.
        let bytes = try Pictures.noise(300, 300, seed: 4).encoded(as: .png)
        let isOver = Mutex(false)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let renderer = Renderer(assistants: nil, isolation: isolation)
            while !isOver.withLock({ $0 }) {
                _ = try? renderer.render(
                    MemoryByteSource(bytes), options: RenderOptions(targetSize: PixelSize(width: 20, height: 20)),
                    limits: .unhurried)
            }
        }
        // Without this, the thread would go on when the test fails.
        defer { isOver.withLock { $0 = true } }
        let loan = try isolation.pool.take()
        let connection = try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(loan.handle.socket.descriptor)")
        for _ in 0..<20 {
            let links = try Self.linksOfStartedProgram()
            #expect(!links.isEmpty)
            #expect(!links.contains { $0.contains("memfd:thumbwheel") || $0.contains("pidfd") || $0 == connection })
        }
        isOver.withLock { $0 = true }
        group.wait()
        #expect(isolation.pool.statistics.crashed == 0)
    }

    /// The open descriptors of a program that is started with all descriptors that it can inherit.
    private static func linksOfStartedProgram() throws -> [String] {
        var ends: [Int32] = [-1, -1]
        let isMade = ProcessStart.perform {
            let isMade = pipe(&ends) == 0
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return isMade
        }
        try #require(isMade)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let arguments: [String] = ["ls", "-l", "/proc/self/fd"]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, "/bin/ls", &actions, nil, &words, environ) == 0)
        close(ends[1])
        let bytes = try FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readToEnd() ?? Data()
        waitpid(process, nil, 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstRange(of: " -> ").map { String(line[$0.upperBound...]) }
        }
    }

    @Test("no decoder that has ended is left as a zombie, and the template goes with the pool")
    func zombies() throws {
        func template() throws -> Int {
            let isolation = DecoderFixture.planted()
            let renderer = Renderer(assistants: nil, isolation: isolation)
            for fault in ["segfault", "exit", "noise", "none", "socket", "none"] {
                _ = try? renderer.render(
                    DecoderFixture.file(triggering: fault),
                    options: RenderOptions(targetSize: PixelSize(width: 20, height: 20)), limits: .unhurried)
            }
            let (template, decoder) = try isolation.pool.withProcess { (Self.status(of: $0)?.parent ?? 0, $0) }
            try #require(template > 1)
            // The template collects the ends of its children before it forks the next one.
            let children = Self.processes.filter { Self.status(of: $0)?.parent == template }
            #expect(children.contains(decoder))
            #expect(Self.comesTrue { !children.contains { Self.status(of: $0)?.state == "Z" } })
            return template
        }
        let number = try template()
        #expect(Self.comesTrue { Self.status(of: number) == nil })
    }

    @Test("decoders stay in the host's session, but not in its process group")
    func session() throws {
        let isolation = DecoderFixture.planted()
        let numbers = try isolation.pool.withProcess { [pid_t($0), pid_t(Self.status(of: $0)?.parent ?? 0)] }
        try #require(numbers[1] > 1)
        for number in numbers {
            #expect(getsid(number) == getsid(0))
            #expect(getpgid(number) == numbers[1])
        }
    }

    private static var processes: [Int] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int($0) }
    }

    private static func status(of process: Int) -> (state: String, parent: Int)? {
        guard let bytes = try? FileHandle(forReadingAtPath: "/proc/\(process)/stat")?.readToEnd() else { return nil }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 1, let parent = Int(fields[1]) else { return nil }
        return (String(fields[0]), parent)
    }

    /// Asks again and again, as long as ten minutes, until the answer is yes.
    private static func comesTrue(_ question: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(600)
        while !question() {
            guard ContinuousClock.now < end else { return false }
            sched_yield()
        }
        return true
    }
}
#endif
