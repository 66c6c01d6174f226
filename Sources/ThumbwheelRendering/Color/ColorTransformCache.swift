import ThumbwheelCore
import ThumbwheelLocks

/// A cache of the most recently used colour transforms, with profiles as keys. Thousands of files in a library share a
/// handful of profiles.
final class ColorTransformCache: Sendable {
    static let shared = ColorTransformCache(capacity: 32)
    /// The largest profile that is looked up, in bytes; libvips applies larger profiles. A profile of curves and a
    /// matrix has a few kilobytes.
    static let profileLimit = 64 << 10

    private struct Entry {
        /// The transform; nil if this library cannot make one, so that libvips must apply the profile. A transform is
        /// made only of a profile with curves and a matrix, or with a single grey curve.
        var transform: ColorTransform?
        var lastUse: UInt64
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The transform for a profile; nil if libvips must apply the profile. A transform that is not in the cache is made
    /// outside the lock.
    func transform(for profile: [UInt8]) -> ColorTransform? {
        guard profile.count <= Self.profileLimit else { return nil }
        let known = state.withLock { state -> ColorTransform?? in
            state.uses += 1
            guard let entry = state.entries[profile] else { return nil }
            state.entries[profile]?.lastUse = state.uses
            return .some(entry.transform)
        }
        if let known { return known }
        let made = ColorTransform(profile: profile)
        let dropped = state.withLock { state -> Entry? in
            var dropped: Entry?
            if state.entries.count >= capacity,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                dropped = state.entries.removeValue(forKey: oldest.key)
            }
            state.entries[profile] = Entry(transform: made, lastUse: state.uses)
            return dropped
        }
        // The removed entry is released here, outside the lock.
        _ = dropped
        return made
    }
}
