/// The file in which Linux adds up the time that tasks have waited for memory: the file of the process's own control
/// group, or, if the group has none, of the whole machine.
struct StallFile: Sendable {
    /// The times since the start of the system, in microseconds.
    struct Reading: Sendable {
        /// The time in which at least one task waited for memory.
        let some: Int
        /// The time in which all tasks waited for memory.
        let full: Int
    }

    private let files: ControlGroupFiles
    private let path: String

    /// Finds the file; nil if the kernel does not record such times.
    init?(files: ControlGroupFiles) {
        let own = files.memberships.filter(\.controllers.isEmpty).flatMap { membership in
            ["sys/fs/cgroup", "sys/fs/cgroup/unified"].flatMap { files.folders(mount: $0, path: membership.path) }
        }
        let candidates = own.map { $0 + "/memory.pressure" } + ["proc/pressure/memory"]
        guard let path = candidates.first(where: { files.contents(of: $0) != nil }) else { return nil }
        self.files = files
        self.path = path
    }

    /// The times that the file states now; nil if the file cannot be read any more or has another format.
    var reading: Reading? {
        guard let text = files.contents(of: path) else { return nil }
        var totals: [Substring: Int] = [:]
        // A line of the file reads "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345"; a second line begins with
        // "full".
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: " ")
            guard let total = fields.first(where: { $0.hasPrefix("total=") }) else { continue }
            totals[fields[0]] = Int(total.dropFirst("total=".count))
        }
        guard let some = totals["some"] else { return nil }
        return Reading(some: some, full: totals["full"] ?? 0)
    }
}
