/// A file in which Linux sums up the time that tasks have waited for memory: of the process's own control group, or, where
/// that has none, of the whole machine.
struct StallFile: Sendable {
    /// Microseconds since the system's start.
    struct Reading: Sendable {
        /// In which some task waited.
        let some: Int
        /// In which all tasks did.
        let full: Int
    }

    private let files: ControlGroupFiles
    private let path: String

    /// Nil where the kernel keeps no such sums.
    init?(files: ControlGroupFiles) {
        let own = files.memberships.filter(\.controllers.isEmpty).flatMap { membership in
            ["sys/fs/cgroup", "sys/fs/cgroup/unified"].flatMap { files.folders(mount: $0, path: membership.path) }
        }
        let candidates = own.map { $0 + "/memory.pressure" } + ["proc/pressure/memory"]
        guard let path = candidates.first(where: { files.contents(of: $0) != nil }) else { return nil }
        self.files = files
        self.path = path
    }

    /// Nil where the file cannot be read any more, or says something else.
    var reading: Reading? {
        guard let text = files.contents(of: path) else { return nil }
        var totals: [Substring: Int] = [:]
        // "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", and the same for "full"
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: " ")
            guard let total = fields.first(where: { $0.hasPrefix("total=") }) else { continue }
            totals[fields[0]] = Int(total.dropFirst("total=".count))
        }
        guard let some = totals["some"] else { return nil }
        return Reading(some: some, full: totals["full"] ?? 0)
    }
}
