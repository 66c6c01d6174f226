/// A profile in callgrind's format, as far as it tells how many instructions ran in which object file.
struct CallgrindDump {
    /// Instructions by the object's path: those of its own functions, without what they called elsewhere.
    private(set) var instructions: [String: Int] = [:]

    init(_ text: String) {
        var names: [Substring: String] = [:]
        var object = ""
        var isAfterCall = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("ob=") || line.hasPrefix("cob=") {
                // `(12) path` where a name comes first, and `(12)` from then on.
                let parts = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
                guard let number = parts.first else { continue }
                if parts.count == 2 { names[number] = String(parts[1]) }
                if line.hasPrefix("ob=") { object = names[number] ?? "" }
            } else if line.hasPrefix("calls=") {
                isAfterCall = true
            } else if let first = line.first, first.isNumber || "+-*".contains(first) {
                // The line after a call has what it cost below: that is counted where it ran.
                if !isAfterCall, let cost = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) {
                    instructions[object, default: 0] += cost
                }
                isAfterCall = false
            }
        }
    }

    /// Instructions of the executable and of what the Swift toolchain brings. The C libraries choose theirs by the
    /// processor they find.
    var ownInstructions: Int {
        instructions.reduce(0) { sum, entry in
            let name = entry.key.split(separator: "/").last ?? ""
            let isOwn =
                !name.contains(".so")
                || ["libswift", "libFoundation", "lib_Foundation"].contains(where: name.hasPrefix)
            return isOwn ? sum + entry.value : sum
        }
    }
}
