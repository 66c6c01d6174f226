/// An option of a command: its name, its value, its help, and the property that the value goes to.
struct CommandOption<Settings: CommandSettings> {
    let name: String
    /// The value as the usage shows it, which is the default where there is one; nil for a flag.
    let value: String?
    let help: String
    /// Whether it may be given more than once.
    let isRepeatable: Bool
    /// Reads a value into the settings; a flag ignores the text.
    let read: (_ text: String, _ settings: inout Settings) throws(CommandError) -> Void

    private init(
        _ name: String, value: String?, isRepeatable: Bool = false, _ help: String,
        read: @escaping (String, inout Settings) throws(CommandError) -> Void
    ) {
        self.name = name
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
        self.read = read
    }

    /// An option whose default is the property's.
    init<Value>(
        _ name: String, _ form: ValueForm<Value>, _ property: WritableKeyPath<Settings, Value>, _ help: String
    ) {
        self.init(name, value: form.shown(Settings()[keyPath: property]), help) {
            (text, settings) throws(CommandError) in
            settings[keyPath: property] = try form.read(name, text)
        }
    }

    /// An option without a default.
    init<Value>(
        _ name: String, _ form: ValueForm<Value>, _ property: WritableKeyPath<Settings, Value?>, _ help: String
    ) {
        self.init(name, value: form.shown(nil), help) { (text, settings) throws(CommandError) in
            settings[keyPath: property] = try form.read(name, text)
        }
    }

    /// An option that may be given more than once.
    init<Value>(
        repeatable name: String, _ form: ValueForm<Value>, _ property: WritableKeyPath<Settings, [Value]>,
        _ help: String
    ) {
        self.init(name, value: form.shown(nil), isRepeatable: true, help) { (text, settings) throws(CommandError) in
            settings[keyPath: property].append(try form.read(name, text))
        }
    }

    /// An option without a value, which gives the property the opposite of its default.
    init(flag name: String, _ property: WritableKeyPath<Settings, Bool>, _ help: String) {
        let value = !Settings()[keyPath: property]
        self.init(name, value: nil, help) { (_, settings) throws(CommandError) in
            settings[keyPath: property] = value
        }
    }
}
