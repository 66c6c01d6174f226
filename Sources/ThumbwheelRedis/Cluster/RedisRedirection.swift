/// The answer of a server of a cluster that another server has the key.
enum RedisRedirection: Equatable {
    /// The slot belongs to another server for good.
    case moved(slot: Int, to: RedisAddress)
    /// The slot is on its way to another server, which has this key already.
    case asked(RedisAddress)

    /// Reads an error such as `MOVED 3999 10.0.0.2:6379`; nil if it is another one.
    init?(_ reply: RedisReply, from address: RedisAddress) {
        guard let words = reply.errorText?.split(separator: " "), words.count >= 3, let slot = Int(words[1]),
            0..<RedisSlot.count ~= slot, let target = RedisAddress(words[2], from: address)
        else { return nil }
        switch words[0] {
        case "MOVED": self = .moved(slot: slot, to: target)
        case "ASK": self = .asked(target)
        default: return nil
        }
    }
}
