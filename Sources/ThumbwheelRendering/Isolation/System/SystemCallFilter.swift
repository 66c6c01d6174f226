#if os(Linux)
import CIsolation
import Glibc

/// The filter of system calls under which a decoder process runs. It has three answers:
///
/// - Calls that a decoder needs are let through.
/// - Calls that no decoder makes end the process, because only a decoder under foreign control would make them.
///   Examples are calls that open a socket or start a program.
/// - All other calls fail with EPERM. Among them are the calls that open files, by which the C library looks for
///   optional settings. The libraries cope with the failure of such calls.
enum SystemCallFilter {
    /// Offsets in the data that the kernel gives to a filter (linux/seccomp.h).
    private static let numberOffset: UInt32 = 0
    private static let architectureOffset: UInt32 = 4
    private static func offset(ofArgument index: Int) -> UInt32 { UInt32(16 + 8 * index) }

    private static let allow = UInt32(truncatingIfNeeded: tw_allow)
    private static let endProcess = UInt32(truncatingIfNeeded: tw_end_process)
    private static let refuse = UInt32(truncatingIfNeeded: tw_refuse)
    private static let unknown = UInt32(truncatingIfNeeded: tw_unknown)

    private static let threadFlag: UInt32 = 0x10000
    private static let executable: UInt32 = 4
    /// The commands of `fcntl` that a decoder may use: read a descriptor's flags, seal memory, and read its seals.
    private static let controls: [UInt32] = [1, 1033, 1034]
    /// The commands of `prctl` that give a name to a thread or to a region of memory. A decoder may use them.
    private static let namings: [UInt32] = [15, 16, 0x5356_4d41]

    /// - Parameter process: the number of the process that will run under the filter. It may signal only itself, which
    ///   is how a process aborts.
    static func program(for process: Int32) -> [sock_filter] {
        var program = [
            tw_load(architectureOffset), tw_if_equal(UInt32(truncatingIfNeeded: tw_architecture), 1, 0),
            tw_return(endProcess), tw_load(numberOffset),
            tw_if_at_least(UInt32(truncatingIfNeeded: tw_first_foreign_call), 0, 1), tw_return(endProcess),
        ]
        func rule(_ call: Int, _ body: [sock_filter]) {
            program.append(tw_if_equal(UInt32(truncatingIfNeeded: call), 0, UInt8(body.count)))
            program += body
        }
        for call in calls(tw_permitted_call) { rule(call, [tw_return(allow)]) }
        rule(tw_call_mmap, refusing(executable, inArgument: 2))
        rule(tw_call_mprotect, refusing(executable, inArgument: 2))
        rule(
            tw_call_clone,
            [
                tw_load(offset(ofArgument: 0)), tw_if_any_bit(threadFlag, 0, 1), tw_return(allow),
                tw_return(endProcess),
            ])
        // Answers clone3 as if the kernel did not know it. The flags of clone3 lie in memory, which a filter cannot
        // read. The C library then calls clone, whose flags are checked above.
        rule(tw_call_clone3, [tw_return(unknown)])
        rule(tw_call_prctl, allowing(namings, inArgument: 0, otherwise: refuse))
        rule(tw_call_fcntl, allowing(controls, inArgument: 1, otherwise: refuse))
        rule(
            tw_call_tgkill,
            allowing([UInt32(bitPattern: process)], inArgument: 0, otherwise: endProcess))
        // Lets the call `prlimit` read resource limits but not set them: its argument 2, the pointer to new limits,
        // must be null.
        let low = offset(ofArgument: 2)
        rule(
            tw_call_prlimit,
            [
                tw_load(low), tw_if_equal(0, 0, 3), tw_load(low + 4), tw_if_equal(0, 0, 1), tw_return(allow),
                tw_return(refuse),
            ])
        for call in calls(tw_fatal_call) { rule(call, [tw_return(endProcess)]) }
        program.append(tw_return(refuse))
        return program
    }

    private static func refusing(_ flag: UInt32, inArgument index: Int) -> [sock_filter] {
        [tw_load(offset(ofArgument: index)), tw_if_any_bit(flag, 0, 1), tw_return(refuse), tw_return(allow)]
    }

    private static func allowing(
        _ values: [UInt32], inArgument index: Int, otherwise: UInt32
    ) -> [sock_filter] {
        [tw_load(offset(ofArgument: index))]
            + values.flatMap { [tw_if_equal($0, 0, 1), tw_return(allow)] } + [tw_return(otherwise)]
    }

    private static func calls(_ list: @escaping (Int32) -> Int32) -> [Int] {
        Array((Int32(0)...).lazy.map { Int(list($0)) }.prefix { $0 >= 0 })
    }

    /// Puts this process under the filter, for good. Returns false if the kernel refuses.
    static func install() -> Bool {
        let program = program(for: getpid())
        return tw_install_filter(program, UInt16(program.count)) == 0
    }
}
#endif
