import Foundation
import TestSupport
import Testing

@Suite(
    "thumbwheel warm",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)), .endsHangs)
struct WarmCommandTests {
    @Test("wants somewhere for the images to go, and says in which forms")
    func destinations() throws {
        let none = try ThumbwheelProcess.run("warm", "photographs")
        #expect(none.status == 2)
        #expect(none.errors == "thumbwheel: warm takes --store FOLDER or --redis HOST:PORT, where the images go\n")
        for command in [["warm", "photographs"], ["serve", "photographs"], ["render", "photographs"]] {
            for text in ["cache", "redis://", "http://cache"] {
                let wrong = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, command + ["--redis", text])
                #expect(wrong.status == 2)
                #expect(
                    wrong.errors == "thumbwheel: --redis \(text): give HOST:PORT, redis://HOST:PORT or unix:///PATH\n")
            }
        }
    }

    @Test("store looks after a Redis too, and says so if it cannot be reached or there is nothing to do")
    func storeOnRedis() throws {
        let scratch = try TemporaryFolder()
        let socket = scratch.file("none.sock")
        for action in ["stat", "verify", "empty"] {
            let outcome = try ThumbwheelProcess.run("store", action, "--redis", "unix://\(socket)")
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("Redis cannot be reached"), "\(outcome.errors)")
        }
        let compact = try ThumbwheelProcess.run("store", "compact", "--redis", "unix://\(socket)")
        #expect(compact.status == 2)
        #expect(compact.errors == "thumbwheel: store compact: Redis has nothing to compact\n")
        let both = try ThumbwheelProcess.run("store", "stat", "folder", "--redis", "unix://\(socket)")
        #expect(both.status == 2)
    }

    @Test("a host and a port are an address of a Redis, also in IPv6, and a port that there is not is none")
    func hostAndPort() throws {
        // Nothing listens at port 1.
        for address in ["127.0.0.1:1", "[::1]:1"] {
            let outcome = try ThumbwheelProcess.run("store", "stat", "--redis", address)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("Redis cannot be reached"), "\(outcome.errors)")
        }
        let wrong = try ThumbwheelProcess.run("store", "stat", "--redis", "host:99999")
        #expect(wrong.status == 2)
        #expect(
            wrong.errors == "thumbwheel: --redis host:99999: give HOST:PORT, redis://HOST:PORT or unix:///PATH\n")
    }

    @Test("fails where the Redis that the images are to go to cannot be reached")
    func unreachable() throws {
        let scratch = try TemporaryFolder()
        // A bitmap of one pixel.
        var bytes: [UInt8] = [0x42, 0x4D, 58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
        bytes += [1, 0, 24, 0] + Array(repeating: 0, count: 24) + [1, 2, 3, 0]
        let photograph = scratch.file("one.bmp")
        try Data(bytes).write(to: URL(fileURLWithPath: photograph))
        let socket = scratch.file("none.sock")
        let outcome = try ThumbwheelProcess.run("warm", photograph, "--redis", "unix://\(socket)", "--encoding", "jpeg")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("Redis cannot be reached"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Fatal"), "\(outcome.errors)")
    }
}
