import Thumbwheel
import ThumbwheelReplay

/// The `thumbwheel.counts/1` document: figures that do not depend on how fast or busy a machine is.
struct CountsDocument: Encodable {
    struct Figure: Encodable {
        let name: String
        let unit: FigureUnit
        let value: Double
    }

    struct Settings: Encodable {
        struct Workload: Encodable {
            let photographs: PhotographSet
        }

        struct Engine: Encodable {
            var tool = "thumbwheel"
            var version = ThumbwheelVersion.current
            let kinds: [String]
        }

        let workload: Workload
        let engine: Engine
    }

    let schema = "thumbwheel.counts/1"
    let host: HostDescription
    let settings: Settings
    let figures: [Figure]
}
