/// The source from which a rendition would be made at this moment. The pipeline looks it up once when it tries to start
/// a job, and hands it to the worker.
package enum RenderSource: Sendable {
    /// The photograph, whose file is stored locally.
    case photograph
    /// The photograph, whose bytes have come over the network.
    case fetched(FetchedBytes)
    /// A cached rendition.
    case rendition(RenderInput)
    /// The photograph, whose bytes have to come over the network first.
    case remote

    /// The cached rendition, if the source is one.
    package var input: RenderInput? {
        if case .rendition(let input) = self { input } else { nil }
    }

    /// The bytes of the photograph, if they have come over the network.
    package var bytes: FetchedBytes? {
        if case .fetched(let bytes) = self { bytes } else { nil }
    }

    /// Whether the source is a larger cached rendition, which is resampled to the size of the wanted one.
    var isResampled: Bool { input?.box != nil }

    /// Whether the source is a cached rendition in packed form, which the worker has to unpack.
    var isPacked: Bool { input?.isPacked ?? false }

    /// Whether the photograph's bytes still have to come over the network.
    var isRemote: Bool {
        if case .remote = self { true } else { false }
    }
}
