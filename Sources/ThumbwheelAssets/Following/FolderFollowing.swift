/// The watching of a folder, which ends when `cancel` is called or when this object is released.
public final class FolderFollowing: Sendable {
    private let follower: FolderFollower

    init(_ follower: FolderFollower) {
        self.follower = follower
    }

    /// Ends the watching and cancels an import that runs. A handler that runs on another thread may still be running when this
    /// returns; no call of it begins afterwards.
    public func cancel() { follower.stop() }

    deinit { follower.stop() }
}
