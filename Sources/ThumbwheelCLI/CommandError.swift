/// Arguments or input that cannot be used: one line that says why and what to do.
struct CommandError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
