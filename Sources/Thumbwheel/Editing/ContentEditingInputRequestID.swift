import ThumbwheelCore

/// The name of a request for the input of an edit; `ImageManager.cancelContentEditingInputRequest` takes it.
public struct ContentEditingInputRequestID: Sendable {
    let token = CancellationToken()
}
