extension FixtureSums {
    /// Reads the file at `path` and the one beside it with ".encoders" at its end; missing files hold no sums.
    package init(contentsOf path: String) throws(FixtureError) {
        try self.init(
            exact: FixtureFiles.text(path) ?? "", versioned: FixtureFiles.text(path + ".encoders") ?? "")
    }

    /// Writes both files.
    package func write(to path: String) throws(FixtureError) {
        try FixtureFiles.write(Array(exactText.utf8), to: path)
        try FixtureFiles.write(Array(versionedText.utf8), to: path + ".encoders")
    }

    /// These sums, and those of `older` for versioned files that could not be made here.
    package func keeping(_ older: FixtureSums, for paths: [String]) -> FixtureSums {
        var sums = self
        for path in paths where sums.versioned[path] == nil { sums.versioned[path] = older.versioned[path] }
        return sums
    }
}
