/// One operation on one thread, the same in every process: small enough to be counted instruction by instruction.
struct MicroBenchmark {
    /// What of its memory is a figure.
    enum Memory {
        case allocations
        /// Allocations, and what is held at once while it runs.
        case peak
        /// Allocations, and what its result holds.
        case held
    }

    let name: String
    /// How often one call does the operation.
    let operations: Int
    let memory: Memory
    /// Makes what the operation works on, and returns a call that can be made again and again.
    let prepare: () throws -> () throws -> Any

    init(
        _ name: String, operations: Int = 1, memory: Memory = .allocations,
        prepare: @escaping () throws -> () throws -> Any
    ) {
        self.name = name
        self.operations = operations
        self.memory = memory
        self.prepare = prepare
    }

    /// All of them, in the order of their figures.
    static func all(_ pictures: FixturePictures) -> [MicroBenchmark] {
        scheduling + caching + requests + assets + heads(pictures) + rendering(pictures)
    }

    /// The operation after one call of it: caches are filled, and what is made once is there.
    func warm() throws -> () throws -> Any {
        let call = try prepare()
        Stopwatch.consume(try call())
        return call
    }
}

/// Runs a call. Callgrind finds it by this name: what is inside is counted, what is outside is not.
@inline(never)
func countedRegion(_ call: () throws -> Any) rethrows -> Any {
    let result = try call()
    // Something to do after the call, so that it is not the last jump out of here.
    Stopwatch.consume(result)
    return result
}
