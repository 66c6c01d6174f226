import ThumbwheelRedis

extension ValueForm<RedisURL> {
    /// The address of a Redis server.
    static var redis: ValueForm {
        ValueForm("HOST:PORT") { (name, text) throws(CommandError) in
            // A host alone is refused, because it may be a misspelt option or file.
            let isHostAndPort = text.wholeMatch(of: /(\[[^\]\/]+\]|[^:\/@]+):[0-9]+/) != nil
            guard let url = RedisURL(isHostAndPort ? "redis://\(text)" : text) else {
                throw CommandError("\(name) \(text): give HOST:PORT, redis://HOST:PORT or unix:///PATH")
            }
            return url
        }
    }
}
