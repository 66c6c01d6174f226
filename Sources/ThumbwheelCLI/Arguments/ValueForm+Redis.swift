import ThumbwheelRedis

extension ValueForm<RedisURL> {
    /// The address of a Redis server.
    static var redis: ValueForm {
        ValueForm("URL") { (name, text) throws(CommandError) in
            guard let url = RedisURL(text) else {
                throw CommandError("\(name) \(text): give redis://HOST:PORT or unix:///PATH")
            }
            return url
        }
    }
}
