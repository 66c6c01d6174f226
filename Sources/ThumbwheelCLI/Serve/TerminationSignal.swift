import Dispatch
import Foundation

/// The signals by which a service is told to end, or to open its log anew.
enum TerminationSignal {
    /// Has `body` called at each SIGHUP until the returned object goes.
    static func onHangUp(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        // The default action would end the process before the source is told.
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }

    /// Returns when the process gets SIGTERM or SIGINT.
    static func wait() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGTERM, SIGINT].map { number in
            // The default action would end the process before the source is told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }
}
