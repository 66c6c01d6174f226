import ThumbwheelRedis

extension RedisStore {
    /// Makes a store for commands in which nobody waits for an image, but each is to arrive.
    convenience init(waitingForEachImage url: RedisURL) {
        var configuration = Configuration(url: url)
        configuration.timeout = .seconds(20)
        configuration.queueByteLimit = 64 << 20
        self.init(configuration)
    }
}
