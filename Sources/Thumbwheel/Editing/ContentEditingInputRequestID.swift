import ThumbwheelCore

/// The identifier of a request for the input of an edit. `ImageManager.cancelContentEditingInputRequest` cancels the
/// request.
public struct ContentEditingInputRequestID: Sendable {
    let token = CancellationToken()
}
