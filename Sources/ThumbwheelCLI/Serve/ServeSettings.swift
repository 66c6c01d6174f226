import Foundation

/// Reads the options of `serve` from the command line, the environment and a file, in this order of precedence.
enum ServeSettings {
    static func read(
        _ words: [String], environment: [String: String]
    ) throws(CommandError) -> (ServeCommand.Options, [String]) {
        let table = ServeCommand.table
        let given = Set(words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map(name))
        var (settings, positional) = try table.read(words)
        var others: [String: String] = [:]
        for option in table.options where option.name != "--config" {
            let variable = "THUMBWHEEL_" + option.name.dropFirst(2).uppercased().replacing("-", with: "_")
            if let value = environment[variable] { others[option.name] = value }
        }
        let inEnvironment = Set(others.keys)
        if let path = settings.config ?? environment["THUMBWHEEL_CONFIG"] {
            for (name, value) in try lines(of: path) {
                guard table.options.contains(where: { $0.name == name }), name != "--config" else {
                    throw CommandError("\(path): unknown option '\(name.dropFirst(2))'")
                }
                if !isGiven(name, inEnvironment), others[name] == nil { others[name] = value }
            }
        }
        for option in table.options where !isGiven(option.name, given) {
            guard let value = others[option.name] else { continue }
            if option.value == nil {
                guard ["true", "false"].contains(value) else {
                    throw CommandError("\(option.name.dropFirst(2)) is true or false, not '\(value)'")
                }
                if value == "false" { continue }
            }
            try option.read(value, &settings)
        }
        return (settings, positional)
    }

    /// Whether an option, or another one for the same, is among some.
    private static func isGiven(_ name: String, _ given: Set<String>) -> Bool {
        given.contains(name) || sameOptions[name].map { !given.isDisjoint(with: $0) } ?? false
    }

    /// The options that say all that another one says.
    private static let sameOptions: [String: Set<String>] = [
        "--host": ["--listen"], "--port": ["--listen"], "--memory": ["--budget"], "--budget": ["--memory"],
        "--traces": ["--record"], "--record": ["--traces"],
    ]

    private static func name(_ word: String) -> String { String(word.prefix { $0 != "=" }) }

    /// The lines `name = value` of a file; empty lines and those that begin with `#` are left out.
    private static func lines(of path: String) throws(CommandError) -> [(name: String, value: String)] {
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8)
        else { throw CommandError("\(path) cannot be read") }
        var lines: [(String, String)] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { throw CommandError("\(path), line \(index + 1): not 'name = value'") }
            lines.append(("--" + parts[0], parts[1]))
        }
        return lines
    }
}
