/// The commands there are, and the text that explains them.
enum Usage {
    private static var commands: [any Command.Type] {
        [
            RenderCommand.self, ReplayCommand.self, CompareCommand.self, InspectCommand.self, BenchCommand.self,
            CountsCommand.self, GateCommand.self, WarmCommand.self, StoreCommand.self, ServeCommand.self,
        ]
    }

    /// One line, for errors.
    static var summary: String {
        let names = commands.map { $0.name }
        return "use \(names.dropLast().joined(separator: ", ")) or \(names.last!); thumbwheel help shows their options"
    }

    static func command(_ name: String) throws(CommandError) -> any Command.Type {
        guard let command = commands.first(where: { $0.name == name }) else {
            throw CommandError("unknown command '\(name)'; \(summary)")
        }
        return command
    }

    /// The usage of one command, or of all of them.
    static func text(of name: String?) throws(CommandError) -> String {
        let shown = try name.map { name throws(CommandError) in [try command(name)] } ?? commands
        return (shown.map(usage) + [notes]).joined(separator: "\n\n")
    }

    private static func usage(of command: any Command.Type) -> String {
        func usage<Shown: Command>(of command: Shown.Type) -> String { command.table.usage }
        return usage(of: command)
    }

    private static let notes = """
        PHOTOS is any mix of files and folders. An option shows its default, or the choices with the default first.
        Exit status: 0 done, 1 a negative verdict (failures under --strict), 2 unusable arguments or input.
        """
}
