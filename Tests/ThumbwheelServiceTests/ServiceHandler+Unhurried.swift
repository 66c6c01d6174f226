import ThumbwheelService

extension ServiceHandler.Configuration {
    /// The usual settings without a deadline, because a busy machine may take longer.
    static var unhurried: Self { Self { $0.deadline = nil } }
}
