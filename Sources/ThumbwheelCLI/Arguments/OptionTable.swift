/// The options of a command. Its arguments are read by this table, and its usage is made of it.
struct OptionTable<Settings: CommandSettings> {
    /// The command and what it takes besides options, as the usage shows them.
    let synopsis: String
    let options: [CommandOption<Settings>]

    init(_ synopsis: String, _ options: [CommandOption<Settings>]) {
        self.synopsis = synopsis
        self.options = options
    }

    /// Tells the words of a command line apart: an option is `--size 1x1` or `--size=1x1`, and behind `--` there is none.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - defaults: The values of the options that are not given.
    /// - Returns: The values of the options, and the words that belong to none.
    func read(
        _ words: [String], over defaults: Settings = Settings()
    ) throws(CommandError) -> (settings: Settings, positional: [String]) {
        var settings = defaults
        var positional: [String] = []
        var given: Set<String> = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                break
            }
            guard word.hasPrefix("--") else {
                positional.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] && ($0.value != nil || parts.count == 1) })
            else {
                throw CommandError("unknown option '\(word)'; use \(options.map(\.name).joined(separator: ", "))")
            }
            let isFirst = given.insert(option.name).inserted
            guard option.value != nil else {
                try option.read("", &settings)
                continue
            }
            guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw CommandError("\(option.name) needs a value")
            }
            guard isFirst || option.isRepeatable else { throw CommandError("\(option.name) is given twice") }
            try option.read(text, &settings)
        }
        return (settings, positional)
    }

    /// The command and its options, each on a line of its own.
    var usage: String {
        let names = options.map { option in
            [option.name, option.value].compactMap(\.self).joined(separator: " ") + (option.isRepeatable ? " …" : "")
        }
        let width = min(30, names.map(\.count).max() ?? 0)
        let lines = zip(names, options).map { name, option in
            let indent = String(repeating: " ", count: 4 + width + 2)
            let gap = name.count <= width ? String(repeating: " ", count: width - name.count + 2) : "\n" + indent
            return "    " + name + gap + option.help.replacing("\n", with: "\n" + indent)
        }
        return (["thumbwheel " + synopsis] + lines).joined(separator: "\n")
    }
}
