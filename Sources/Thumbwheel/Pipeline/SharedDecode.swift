/// What the renditions have in common that are made of one decode.
struct SharedDecode {
    let kind: RenditionKey.Kind
    /// The largest scale among them: the smaller ones are reduced from it.
    var eighths: Int
    /// Whether any is the decode as it is, for which chroma is made finer.
    var isNatural: Bool
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
        joint.isNatural = isNatural || other.isNatural
        guard !isFile || joint.isLike(self), !other.isFile || joint.isLike(other) else { return nil }
        if eighths != other.eighths {
            // What nobody waits for must not make slower what somebody waits for.
            guard isSpeculative || !other.isSpeculative || other.eighths < eighths else { return nil }
        }
        joint.isFile = isFile || other.isFile
        joint.isSpeculative = isSpeculative && other.isSpeculative
        let (sum, overflows) = outputByteCount.addingReportingOverflow(other.outputByteCount)
        joint.outputByteCount = overflows ? .max : sum
        joint.workingByteCount = max(workingByteCount, other.workingByteCount)
        return joint
    }

    /// Whether both make the same pixels of the file.
    func isLike(_ other: SharedDecode) -> Bool { eighths == other.eighths && isNatural == other.isNatural }
}
