/// A command of the command line.
protocol Command {
    associatedtype Settings: CommandSettings

    /// All of the command's options: its arguments are read by this table, and its usage is made of it.
    static var table: OptionTable<Settings> { get }

    /// Reads and checks the command's words, before any work is done.
    init(_ words: [String]) throws(CommandError)

    func run() async throws(CommandError) -> ExitStatus
}

extension Command {
    /// The first word of the synopsis.
    static var name: String { String(table.synopsis.prefix { $0 != " " }) }
}
