import Foundation

/// The resources that this process has used so far, as the system counts them.
public struct ProcessUsage: Sendable {
    /// The user and system time of all threads, in seconds.
    public let cpuSeconds: Double
    /// The number of page faults that needed no input or output.
    public let minorFaults: Int

    /// The usage since the process began.
    public static var current: ProcessUsage { ProcessUsage(of: 0) }

    /// The usage of the processes that this one has started and waited for.
    public static var ofChildren: ProcessUsage { ProcessUsage(of: -1) }

    /// - Parameter subject: the number of `RUSAGE_SELF` or of `RUSAGE_CHILDREN`, which are the same on all systems. In Glibc,
    ///   the names are cases of an enumeration, but the parameter is an Int32.
    private init(of subject: Int32) {
        var usage = rusage()
        getrusage(subject, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        minorFaults = Int(usage.ru_minflt)
    }

    /// The resident memory in bytes: now, at its peak since the process began, and the anonymous part, which belongs to no
    /// file. Nil if /proc does not state it.
    public static var residentByteCounts: (now: Int, peak: Int, anonymous: Int)? {
        guard let handle = FileHandle(forReadingAtPath: "/proc/self/status"), let data = try? handle.readToEnd() else {
            return nil
        }
        var kilobytes: [Substring: Int] = [:]
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ":" })
            if fields.count == 3, fields[2] == "kB" { kilobytes[fields[0]] = Int(fields[1]) }
        }
        guard let now = kilobytes["VmRSS"], let peak = kilobytes["VmHWM"], let anonymous = kilobytes["RssAnon"] else {
            return nil
        }
        return (now << 10, peak << 10, anonymous << 10)
    }
}
