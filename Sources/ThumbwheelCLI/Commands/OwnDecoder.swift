import Thumbwheel

extension ImageManager.Configuration {
    /// Decodes files outside the process by the command itself, which has all decoders of the command.
    mutating func isolate(_ isolation: Isolation) {
        self.isolation = isolation
        decoderPath = OwnDecoder.path
    }
}

/// The command as the program of its decoder processes.
enum OwnDecoder {
    /// The path of the command's own file. It leads to the file that runs, even if that was replaced or deleted since.
    static let path = "/proc/self/exe"
}
