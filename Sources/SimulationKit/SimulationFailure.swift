/// How a history ended that broke a rule.
package struct SimulationFailure: Error, Sendable {
    package let rule: String
    /// What happened, the event that broke the rule included.
    package let history: SimulatedHistory
}
