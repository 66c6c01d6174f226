/// How a rendition would be made at this moment: found once for a dispatch, and handed to the worker.
package enum RenderSource: Sendable {
    /// Of the photograph, whose file is at hand.
    case photograph
    /// Of the photograph, whose bytes have come over the network.
    case fetched(FetchedBytes)
    /// Of a cached rendition.
    case rendition(RenderInput)
    /// Of bytes that have to come over the network first.
    case elsewhere

    /// The cached rendition, if it is made of one.
    package var input: RenderInput? {
        if case .rendition(let input) = self { input } else { nil }
    }

    /// The bytes, if they have come over the network.
    package var bytes: FetchedBytes? {
        if case .fetched(let bytes) = self { bytes } else { nil }
    }

    /// Whether a better rendition is made smaller.
    var isResampled: Bool { input?.box != nil }

    /// Whether packed pixels are brought back.
    var isPacked: Bool { input?.isPacked ?? false }

    /// Whether bytes are lacking.
    var isElsewhere: Bool {
        if case .elsewhere = self { true } else { false }
    }
}
