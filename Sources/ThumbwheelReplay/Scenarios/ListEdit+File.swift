/// An edit as it is written in a line of a trace file: one key names the kind of edit, and its value states the place.
extension ListEdit: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case enter, leave, insert, remove, change, move
    }

    public init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        guard line.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(.init(codingPath: line.codingPath, debugDescription: "not one edit"))
        }
        func pair() throws -> (Int, Int) {
            let numbers = try line.decode([Int].self, forKey: line.allKeys[0])
            guard numbers.count == 2 else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: line.codingPath, debugDescription: "not two numbers"))
            }
            return (numbers[0], numbers[1])
        }
        switch line.allKeys[0] {
        case .enter:
            let (first, end) = try pair()
            guard first <= end else {
                throw DecodingError.dataCorrupted(.init(codingPath: line.codingPath, debugDescription: "ends first"))
            }
            self = .enter(first..<end)
        case .leave: self = .leave
        case .insert:
            let (asset, item) = try pair()
            self = .insert(asset: asset, at: item)
        case .remove: self = .remove(at: try line.decode(Int.self, forKey: .remove))
        case .change: self = .change(at: try line.decode(Int.self, forKey: .change))
        case .move:
            let (from, to) = try pair()
            self = .move(from: from, to: to)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: Key.self)
        switch self {
        case .enter(let numbers): try line.encode([numbers.lowerBound, numbers.upperBound], forKey: .enter)
        case .leave: try line.encode(true, forKey: .leave)
        case .insert(let asset, let item): try line.encode([asset, item], forKey: .insert)
        case .remove(let item): try line.encode(item, forKey: .remove)
        case .change(let item): try line.encode(item, forKey: .change)
        case .move(let from, let to): try line.encode([from, to], forKey: .move)
        }
    }
}
