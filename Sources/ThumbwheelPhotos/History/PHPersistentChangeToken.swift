import Thumbwheel

/// A moment in a library's history, to be stored with any encoder.
public typealias PHPersistentChangeToken = ChangeToken
