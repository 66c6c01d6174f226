/// The protections that surround a decoder process. Some kernels and containers do not grant all of them.
public struct Containment: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No program that the process could start has more rights than the process (`no_new_privs`).
    public static let noNewPrivileges = Containment(rawValue: 1)
    /// A filter of system calls (seccomp): no sockets, no opening of files, no processes, no debugging.
    public static let callFilter = Containment(rawValue: 2)
    /// Limits of memory, processor time, descriptors and output, which the kernel enforces.
    public static let resourceLimits = Containment(rawValue: 4)
    /// The process has namespaces of its own for users, the network, inter-process communication and host names. So it
    /// has no network connection, and no privileges outside its namespaces.
    public static let namespaces = Containment(rawValue: 8)
    /// An empty folder as the root of all paths.
    public static let emptyRoot = Containment(rawValue: 16)
    /// The process has no capabilities, and no other process of the user may look into its memory.
    public static let noCapabilities = Containment(rawValue: 32)

    /// All protections.
    public static let all: Containment = [
        .noNewPrivileges, .callFilter, .resourceLimits, .namespaces, .emptyRoot, .noCapabilities,
    ]
    /// The protections without which a decoder gets no job.
    static let required: Containment = [.noNewPrivileges, .callFilter, .resourceLimits]

    /// The names of the protections in the set, for reports and metrics.
    public var names: [String] {
        let names: [(Containment, String)] = [
            (.noNewPrivileges, "noNewPrivileges"), (.callFilter, "callFilter"), (.resourceLimits, "resourceLimits"),
            (.namespaces, "namespaces"), (.emptyRoot, "emptyRoot"), (.noCapabilities, "noCapabilities"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
