/// A running job that keeps a library up to date with a folder. `PhotoLibrary.follow` returns it. The job ends when
/// `cancel` is called or this object is destroyed.
public final class FolderFollowing: Sendable {
    private let follower: FolderFollower

    init(_ follower: FolderFollower) {
        self.follower = follower
    }

    /// Stops following the folder and cancels a running import. If the handler is running on another thread, it may
    /// still be running when this method returns. No further call of the handler begins.
    public func cancel() { follower.stop() }

    deinit { follower.stop() }
}
