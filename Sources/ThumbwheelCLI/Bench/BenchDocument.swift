import ThumbwheelReplay

/// The `thumbwheel.bench/1` document.
struct BenchDocument: Encodable {
    let schema = "thumbwheel.bench/1"
    let host: HostDescription
    let settings: Settings
    var results: [BenchRow]

    struct Settings: Encodable {
        struct Workload: Encodable {
            let groups: [String]
            let assets: Int
            let albums: Int
            let seed: UInt64
        }

        struct Engine: Encodable {
            let tool: String
            let version: String
            let rounds: Int
        }

        let workload: Workload
        let engine: Engine
    }
}
