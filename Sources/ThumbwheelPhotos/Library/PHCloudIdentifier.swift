import Thumbwheel

/// An identifier of a photograph that is the same on every machine.
public typealias PHCloudIdentifier = CloudIdentifier
