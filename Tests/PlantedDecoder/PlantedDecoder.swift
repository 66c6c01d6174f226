import CIsolation
import Glibc
import ThumbwheelCore
import ThumbwheelRendering

/// A decoder with planted faults, for tests. The last word of a file says which fault it triggers; a file without such a
/// word is decoded as usual.
@main
enum PlantedDecoder {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if !DecoderProgram.isWanted, !words.isEmpty { PlantedHost.run(Array(words)) }
        DecoderProgram.run { job, source, assistants throws(RenderError) in
            if let fault = fault(in: source) {
                // Tells the host that the fault begins.
                _ = try? source.bytes(in: 0..<1)
                trigger(fault)
            }
            return try DecoderProgram.decode(job, source, assistants)
        }
    }

    private static func fault(in source: any ByteSource) -> String? {
        let tail = (try? source.bytes(in: max(0, source.byteCount - 32)..<source.byteCount)) ?? []
        let text = String(decoding: tail, as: UTF8.self)
        guard let place = text.firstRange(of: "PLANTED ") else { return nil }
        return String(text[place.upperBound...])
    }

    private static func trigger(_ fault: String) {
        switch fault {
        case "segfault": UnsafeMutablePointer<UInt8>(bitPattern: 16)!.pointee = 1
        case "loop": while getpid() > 0 {}
        case "gigabyte": allocate()
        case "overrun": writePastEnd()
        case "socket": _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        case "program": _ = execl()
        case "fork": _ = tw_fork()
        case "file": if open("/etc/passwd", O_RDONLY) >= 0 { abort() }
        case "exit": _exit(0)
        case "noise": send([UInt8](repeating: 0xA5, count: 40))
        case "close": close(3)
        case "close, then loop":
            close(3)
            while getpid() > 0 {}
        case "giant": lie(width: 1 << 20, height: 1 << 20, byteCount: 4096, isSealed: true)
        case "short": lie(width: 100, height: 100, byteCount: 4096, isSealed: true)
        case "unsealed": lie(width: 10, height: 10, byteCount: 300, isSealed: false)
        case "nothing": send(DecoderMessage.done.bytes)
        case "asker":
            while true {
                send(DecoderMessage.wantsAssistance.bytes)
                receive()
            }
        default: break
        }
    }

    /// Takes memory until there is none left, and then uses what there is not.
    private static func allocate() {
        while true {
            let memory = mmap(nil, 1 << 26, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
            guard let memory, memory != MAP_FAILED else { abort() }
            memset(memory, 1, 1 << 26)
        }
    }

    private static func writePastEnd() {
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)!
        memset(memory, 1, 1 << 24)
    }

    private static func execl() -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        return execv("/bin/true", &words)
    }

    private static func send(_ bytes: [UInt8], descriptor: Int32 = -1) { tw_send(3, bytes, bytes.count, descriptor, 0) }

    private static func receive() {
        var bytes = [UInt8](repeating: 0, count: 100_000)
        var descriptor: Int32 = -1
        if tw_receive(3, &bytes, bytes.count, &descriptor, 0) <= 0 { _exit(0) }
    }

    /// Announces an image of one size, and sends memory of another.
    private static func lie(width: Int, height: Int, byteCount: Int, isSealed: Bool) {
        let memory = tw_memfd()
        ftruncate(memory, byteCount)
        if isSealed { _ = tw_add_seals(memory) }
        let description = ImageDescription(
            size: PixelSize(width: width, height: height), format: .rgb, source: .full, eighths: 8, decoder: .webp)
        send(DecoderMessage.image(description).bytes, descriptor: memory)
        send(DecoderMessage.done.bytes)
        while true { receive() }
    }
}
