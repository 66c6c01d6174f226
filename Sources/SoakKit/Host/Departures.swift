/// Objects that must be gone at the next rest.
struct Departures {
    private final class Entry {
        let name: String
        weak var object: AnyObject?

        init(_ name: String, _ object: AnyObject) {
            self.name = name
            self.object = object
        }
    }

    private var entries: [Entry] = []

    mutating func expect(_ name: String, _ object: AnyObject) { entries.append(Entry(name, object)) }

    /// Those that are still there; the others are struck off.
    mutating func remaining() -> [String] {
        entries.removeAll { $0.object == nil }
        return entries.map(\.name)
    }
}
