/// A command's arguments, told apart into options with a value, flags, and the rest.
struct Arguments {
    let positional: [String]
    private let values: [String: [String]]
    private let flags: Set<String>

    /// - Parameters:
    ///   - options: names that take a value, as `--size 1x1` or `--size=1x1`.
    ///   - flags: names that take none.
    ///   - repeatable: options that may be given more than once.
    init(
        _ arguments: [String], options: Set<String>, flags known: Set<String>, repeatable: Set<String> = []
    ) throws(CommandError) {
        var positional: [String] = []
        var values: [String: [String]] = [:]
        var flags: Set<String> = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                positional += rest
                break
            }
            guard argument.hasPrefix("--") else {
                positional.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            if known.contains(name), parts.count == 1 {
                flags.insert(name)
            } else if options.contains(name) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw CommandError("\(name) needs a value")
                }
                guard values[name] == nil || repeatable.contains(name) else {
                    throw CommandError("\(name) is given twice")
                }
                values[name, default: []].append(value)
            } else {
                throw CommandError("unknown option '\(argument)'; thumbwheel help shows those there are")
            }
        }
        self.positional = positional
        self.values = values
        self.flags = flags
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    func string(_ name: String) -> String? { values[name]?.last }

    /// All values of a repeatable option, in their order.
    func strings(_ name: String) -> [String] { values[name] ?? [] }

    // MARK: Typed values

    func integer(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws(CommandError) -> Int {
        guard let text = string(name) else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw CommandError(
                "\(name) \(text): give a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func number(_ name: String, default standard: Double, in range: ClosedRange<Double>) throws(CommandError) -> Double
    {
        guard let text = string(name) else { return standard }
        guard let value = Double(text), range.contains(value) else {
            throw CommandError("\(name) \(text): give a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func choice<Choice>(_ name: String, default standard: Choice) throws(CommandError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = string(name) else { return standard }
        guard let value = Choice(rawValue: text) else { throw Self.unknown(text, for: name, of: Choice.self) }
        return value
    }

    func choices<Choice>(_ name: String, default standard: [Choice]) throws(CommandError) -> [Choice]
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = string(name) else { return standard }
        var chosen: [Choice] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Choice(rawValue: String(word)) else {
                throw Self.unknown(String(word), for: name, of: Choice.self)
            }
            chosen.append(value)
        }
        return chosen
    }

    private static func unknown<Choice>(_ text: String, for name: String, of type: Choice.Type) -> CommandError
    where Choice: RawRepresentable<String> & CaseIterable {
        CommandError("\(name) \(text): use one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}
