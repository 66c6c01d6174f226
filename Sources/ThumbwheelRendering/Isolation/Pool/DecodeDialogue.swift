#if os(Linux)
import Glibc
import ThumbwheelCore

/// The host's part in the exchange of messages about one job with a decoder process. It answers the decoder's
/// questions, and collects the images.
///
/// A malicious file may have taken control of the decoder that decodes it. So any message that breaks the protocol, or
/// that does not belong to the job, ends the exchange.
struct DecodeDialogue {
    /// The ways in which the exchange of messages about a job ends.
    enum End {
        case images([Result<RenderedImage, RenderError>])
        case failed(RenderError)
        /// The process has ended.
        case ended
        /// The process has broken the protocol.
        case broken
    }

    private let socket: MessageSocket
    /// The memory in which the host places the bytes that the decoder asks for. Nil if the job itself gives the decoder
    /// access to all bytes of the file.
    private let window: SharedWindow?
    private let source: any ByteSource
    private let assistants: (any RenderAssistants)?
    private let limits: RenderLimits
    private let expectedCount: Int
    private var results: [Result<RenderedImage, RenderError>] = []
    /// The error of the first failed read of the file. It is kept because the decoder is told only that a read has
    /// failed.
    private var sourceError: ByteSourceError?

    init(
        _ socket: MessageSocket, window: SharedWindow?, source: any ByteSource, assistants: (any RenderAssistants)?,
        limits: RenderLimits,
        expectedCount: Int
    ) {
        self.socket = socket
        self.window = window
        self.source = source
        self.assistants = assistants
        self.limits = limits
        self.expectedCount = expectedCount
    }

    mutating func run() -> End {
        while let received = socket.receive() {
            guard let message = try? DecoderMessage(received.bytes[...]) else { return .broken }
            switch message {
            case .ready: return .broken
            case .read(let offset, let count, let place):
                guard let room = window?.room(at: place, count: count) else { return .broken }
                if !answer(from: offset, in: room) { return .ended }
            case .wantsAssistance: if !lendThread() { return .ended }
            case .image(let description):
                guard let image = image(description, received.descriptor) else { return .broken }
                results.append(.success(image))
            case .failure(let error): results.append(.failure(known(error)))
            case .done: return results.count == expectedCount ? .images(results) : .broken
            case .failed(let error): return .failed(known(error))
            }
            if results.count > expectedCount { return .broken }
        }
        return .ended
    }

    /// Returns the decoder's error with the details that only this process knows:
    /// - If the file could not be read by this process, the result is this process's own error.
    /// - If the file could not be read by the decoder itself, from the file's descriptor, the result is the decoder's
    ///   error with the path of the file.
    /// - Any other error is returned unchanged.
    private func known(_ error: RenderError) -> RenderError {
        guard case .source(.unreadable(_, let code)) = error else { return error }
        return .source(sourceError ?? .unreadable(path: source.openFile?.file.path ?? "", code: code))
    }

    private mutating func answer(from offset: Int, in room: UnsafeMutableRawBufferPointer) -> Bool {
        do throws(ByteSourceError) {
            let isBeyond = offset >= source.byteCount || room.isEmpty
            let count = try isBeyond ? 0 : source.read(into: room, at: offset)
            return socket.send(HostMessage.placed(count: count).bytes)
        } catch {
            sourceError = sourceError ?? error
            return socket.send(HostMessage.unreadable.bytes)
        }
    }

    private func image(_ description: ImageDescription, _ memory: PassedDescriptor?) -> RenderedImage? {
        guard let memory, description.size.pixelCount <= limits.pixelCount,
            let bitmap = Bitmap(
                size: description.size, format: description.format, sealedBy: memory)
        else { return nil }
        var image = RenderedImage(
            bitmap: bitmap, source: description.source, eighths: description.eighths, decoder: description.decoder,
            isPartial: description.isPartial)
        image.thumbHash = description.thumbHash
        return image
    }

    /// Answers the decoder's request for a second thread. If a worker thread of this process is idle, the decoder may
    /// run the second thread, and the worker thread waits meanwhile.
    ///
    /// - Returns: false if the answer cannot be sent.
    private func lendThread() -> Bool {
        guard let assistants, let (own, other) = MessageSocket.pair() else {
            return socket.send(HostMessage.noAssistance.bytes)
        }
        let isIdle = assistants.start { isWantedElsewhere in
            // Waits until the decoder's second thread has finished, or until this thread is needed for other work. The
            // decoder closes its end of the connection when its second thread has finished. If this thread is needed
            // before that, it shuts the connection down, and the decoder's second thread stops.
            while !isWantedElsewhere(), !own.isClosedByOther(within: 1) {}
            own.shutDown()
        }
        guard isIdle else { return socket.send(HostMessage.noAssistance.bytes) }
        return socket.send(HostMessage.assist.bytes, with: other.descriptor)
    }
}
#endif
