import Foundation

/// Names of files for photographs of several folders, none given twice.
struct UniqueNames {
    private var given: Set<String> = []

    /// The photograph's own name without its extension, with a number where that is taken.
    mutating func name(for filename: String) -> String {
        let base = (filename as NSString).deletingPathExtension
        var name = base
        var number = 2
        while !given.insert(name).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }
}
