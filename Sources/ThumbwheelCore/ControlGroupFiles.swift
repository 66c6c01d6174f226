import Foundation

/// Reads the files of the control groups that a process is in, under a root folder that tests replace.
struct ControlGroupFiles: Sendable {
    /// One line of `/proc/self/cgroup`: a hierarchy, and the process's place in it (cgroups(7)).
    struct Membership {
        /// The controllers of the hierarchy; empty for the single hierarchy of version 2.
        let controllers: [Substring]
        let path: String
    }

    let root: String

    var memberships: [Membership] {
        (contents(of: "proc/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            return Membership(controllers: fields[1].split(separator: ","), path: String(fields[2]))
        }
    }

    /// Returns the text of a file, without white space at its ends. Files under /proc have no size, so they are read to
    /// the end.
    func contents(of path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: root + "/" + path), let data = try? handle.readToEnd() else {
            return nil
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the folders of a group and of all groups above it, because each of them sets limits. Inside a container
    /// the group's own path may not be visible; its files then lie at the mount's root.
    func folders(mount: String, path: String) -> [String] {
        var components = path.split(separator: "/")
        var folders: [String] = []
        while true {
            folders.append(([mount[...]] + components).joined(separator: "/"))
            if components.popLast() == nil { return folders }
        }
    }

    /// Returns the contents of a control file in a group and in all groups above it.
    func chain(_ name: String, mount: String, path: String) -> [String] {
        folders(mount: mount, path: path).compactMap { contents(of: $0 + "/" + name) }
    }

    func smallest(_ name: String, mount: String, path: String) -> Int? {
        chain(name, mount: mount, path: path).compactMap { Int($0) }.min()
    }

    /// Returns the number after `key` in a file whose lines each have a key and a number, such as `memory.stat`.
    static func number(beside key: String, in text: String) -> Int? {
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: " ")
            if fields.count == 2, fields[0] == key { return Int(fields[1]) }
        }
        return nil
    }
}
