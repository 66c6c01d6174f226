/// What the renditions have in common that are made of one decode.
struct SharedDecode {
    let kind: RenditionKey.Kind
    /// The largest scale among them: the smaller ones are reduced from it.
    var eighths: Int
    /// Whether chroma is finer than others of the scale have it, for one that is the decode as it is.
    var hasFineChroma: Bool
    /// Whether any is a file: then the decode is its own, for equal entity tags promise equal bytes.
    var isFile: Bool
    /// Whether nobody waits for any of them.
    var isSpeculative: Bool
    var outputByteCount: Int
    var workingByteCount: Int

    /// Output and working memory.
    var predictedByteCount: Int {
        let (sum, overflows) = outputByteCount.addingReportingOverflow(workingByteCount)
        return overflows ? .max : sum
    }

    /// The decode for these and one more; nil where that is to have its own.
    func joined(by other: SharedDecode) -> SharedDecode? {
        guard kind == other.kind else { return nil }
        var joint = self
        joint.eighths = max(eighths, other.eighths)
        joint.hasFineChroma = hasFineChroma || other.hasFineChroma
        guard !isFile || joint.isLike(self), !other.isFile || joint.isLike(other) else { return nil }
        // What nobody waits for must not make slower what somebody waits for.
        guard isSpeculative || !other.isSpeculative || joint.isLike(self) else { return nil }
        joint.isFile = isFile || other.isFile
        joint.isSpeculative = isSpeculative && other.isSpeculative
        let (sum, overflows) = outputByteCount.addingReportingOverflow(other.outputByteCount)
        joint.outputByteCount = overflows ? .max : sum
        joint.workingByteCount = max(workingByteCount, other.workingByteCount)
        return joint
    }

    /// Whether both make the same pixels of the file.
    func isLike(_ other: SharedDecode) -> Bool { eighths == other.eighths && hasFineChroma == other.hasFineChroma }
}
