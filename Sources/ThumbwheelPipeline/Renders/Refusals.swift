import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

/// Notes about renditions that cannot be made because of their files, with the reasons. A file that is damaged, or that
/// crashes its decoder, is therefore not decoded again at each request. This object also lists new jobs for such
/// renditions, until `PipelineState.dispatch` ends them.
///
/// The notes are in memory and bounded in number; when there are too many, the oldest are dropped. Storage tiers
/// (stores outside memory) keep notes of their own.
struct Refusals: Sendable {
    /// The scope of a note: one rendition, or a group of renditions of one picture.
    private enum Scope: Hashable {
        /// One rendition. Other renditions of the same file may succeed, because they may read a smaller part of the
        /// file.
        case rendition(RenditionKey)
        /// All renditions of a picture that are made from the photograph, or all that are made from its preview. The
        /// file has crashed its decoder, and is not given to it again.
        case picture(RenditionKey.Subject, isPreview: Bool)

        var asset: AssetIdentifier {
            switch self {
            case .rendition(let key): key.subject.asset
            case .picture(let subject, _): subject.asset
            }
        }
    }

    /// The largest number of notes; with 0, none is kept.
    let limit: Int
    private var errors: [Scope: ImageRequestError] = [:]
    /// The scopes of the notes, in the order in which the notes were made. Once there are `limit` of them, the next one
    /// takes the place of the one at `next`, which is the oldest.
    private var order: [Scope] = []
    private var next = 0
    /// The jobs that the next call of `PipelineState.dispatch` ends, and the errors with which they end.
    private var jobs: [JobID: ImageRequestError] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of notes.
    var count: Int { errors.count }

    /// The reason why a rendition cannot be made; nil if there is no note about it.
    func error(for key: RenditionKey) -> ImageRequestError? {
        guard !errors.isEmpty, key.kind != .original else { return nil }
        return errors[.picture(key.subject, isPreview: key.kind == .preview)] ?? errors[.rendition(key)]
    }

    /// Notes why a rendition could not be made, if the reason lies in its file.
    mutating func note(_ error: ImageRequestError, for key: RenditionKey) {
        guard limit > 0, key.kind != .original, error.isCausedByFile else { return }
        let scope: Scope
        if case .rendering(.decoderFailed) = error {
            scope = .picture(key.subject, isPreview: key.kind == .preview)
        } else {
            // No note is made of a damaged preview. Another attempt takes very little time, and a request does not fail
            // for lack of a preview.
            guard key.kind != .preview else { return }
            scope = .rendition(key)
        }
        guard errors.updateValue(error, forKey: scope) == nil else { return }
        guard order.count == limit else { return order.append(scope) }
        errors[order[next]] = nil
        order[next] = scope
        next = (next + 1) % limit
    }

    /// Drops all notes about an asset.
    mutating func forget(_ asset: AssetIdentifier) {
        guard errors.keys.contains(where: { $0.asset == asset }) else { return }
        order = (order[next...] + order[..<next]).filter { $0.asset != asset }
        next = 0
        errors = errors.filter { $0.key.asset != asset }
    }

    // MARK: Jobs that end because their renditions cannot be made

    /// Whether no job is about to end, so that there is nothing for `PipelineState.endRefused` to do.
    var isIdle: Bool { jobs.isEmpty }

    func isEnding(_ job: JobID) -> Bool { jobs[job] != nil }

    mutating func end(_ job: JobID, because error: ImageRequestError) { jobs[job] = error }

    /// Removes a job from the jobs that are about to end, because no request wants the job any more.
    mutating func removeJob(_ job: JobID) {
        guard !jobs.isEmpty else { return }
        jobs[job] = nil
    }

    /// Takes the next job to end: the one with the least slot number, so that the order is the same in every run.
    mutating func takeJob() -> (id: JobID, error: ImageRequestError)? {
        guard let job = jobs.min(by: { $0.key.slot < $1.key.slot }) else { return nil }
        jobs[job.key] = nil
        return (job.key, job.value)
    }
}

extension ImageRequestError {
    /// Whether the file's contents are the reason, so that another attempt would fail as well. Only such errors are
    /// remembered.
    var isCausedByFile: Bool {
        if case .rendering(let error) = self { error.isCausedByFile } else { false }
    }
}

// MARK: Invariants

extension Refusals {
    func checkInvariants(isWaiting: (JobID) -> Bool) throws(BrokenInvariant) {
        try BrokenInvariant.require(order.count == errors.count, "notes without an age")
        try BrokenInvariant.require(order.count <= limit, "more notes than allowed")
        for job in jobs.keys { try BrokenInvariant.require(isWaiting(job), "a job is to end that does not wait") }
    }
}
