/// A form of values that options have: how the usage shows one, and how it is read.
struct ValueForm<Value> {
    /// Reads the value of the option of that name.
    let read: (_ name: String, _ text: String) throws(CommandError) -> Value
    private let placeholder: String
    private let text: ((Value) -> String)?

    /// - Parameters:
    ///   - placeholder: Stands in the usage where an option has no default.
    ///   - text: Writes a default; without it, the placeholder stands there too.
    init(
        _ placeholder: String, text: ((Value) -> String)? = nil,
        read: @escaping (_ name: String, _ text: String) throws(CommandError) -> Value
    ) {
        self.read = read
        self.placeholder = placeholder
        self.text = text
    }

    /// The value as the usage shows it.
    func shown(_ standard: Value?) -> String {
        guard let text, let standard else { return placeholder }
        return text(standard)
    }
}

extension ValueForm<Int> {
    static func integer(in range: ClosedRange<Int>) -> ValueForm {
        ValueForm("N", text: String.init(describing:)) { (name, text) throws(CommandError) in
            guard let value = Int(text), range.contains(value) else {
                throw CommandError(
                    "\(name) \(text): give a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    /// A number of bytes with an optional KiB, MiB or GiB.
    static var byteCount: ValueForm {
        ValueForm("BYTES", text: ByteCount.text) { (name, text) throws(CommandError) in
            guard let count = ByteCount.parse(text) else {
                throw CommandError("\(name) \(text): give a number of bytes above 0, for instance 64MiB")
            }
            return count
        }
    }
}

extension ValueForm<UInt64> {
    static var seed: ValueForm {
        let integer = ValueForm<Int>.integer(in: 0...Int.max)
        return ValueForm("N", text: String.init(describing:)) { (name, text) throws(CommandError) in
            UInt64(try integer.read(name, text))
        }
    }
}

extension ValueForm<Double> {
    static func number(in range: ClosedRange<Double>) -> ValueForm {
        ValueForm("N", text: text) {
            (name, text) throws(CommandError) in
            guard let value = Double(text), range.contains(value) else {
                throw CommandError("\(name) \(text): give a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }

    /// A share, as `3%` or `0.03`.
    static var share: ValueForm {
        ValueForm("3%") { (name, text) throws(CommandError) in
            let number = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
            guard let number, number >= 0, number <= 10 else {
                throw CommandError("\(name) \(text): give a share such as 3%")
            }
            return number
        }
    }
}

extension ValueForm<String> {
    static func text(_ placeholder: String) -> ValueForm {
        ValueForm(placeholder, text: String.init(describing:)) { (_, text) throws(CommandError) in text }
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & Equatable {
    /// One of the cases; the usage names them all, the default first.
    static var choice: ValueForm {
        ValueForm(
            names(Array(Value.allCases)), text: { first in names([first] + Value.allCases.filter { $0 != first }) },
            read: { (name, text) throws(CommandError) in
                guard let value = Value(rawValue: text) else {
                    throw CommandError(
                        "\(name) \(text): use one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                return value
            })
    }

    private static func names(_ cases: [Value]) -> String { cases.map(\.rawValue).joined(separator: "|") }
}

extension ValueForm {
    /// Several of the cases with commas between; the usage names them all.
    static func choices<Choice>() -> ValueForm
    where Value == [Choice], Choice: RawRepresentable<String> & CaseIterable & Equatable {
        ValueForm(Choice.allCases.map(\.rawValue).joined(separator: ",")) {
            (name, text) throws(CommandError) in
            var chosen: [Choice] = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                chosen.append(try ValueForm<Choice>.choice.read(name, String(word)))
            }
            return chosen
        }
    }
}

extension ValueForm<OutputFile> {
    /// A file to be written, checked before any work is done for it.
    static var file: ValueForm {
        ValueForm("FILE") { (name, path) throws(CommandError) in
            try OutputFile(path: path, option: name)
        }
    }
}
