import Thumbwheel

/// One user, or one group of users, of a service. Each sees a library of its own, or its own view of one.
public struct ServiceTenant: Sendable {
    /// The name, for metrics, logs and signed addresses. Its letters are those of addresses.
    public var name: String
    /// The tokens by which requests are recognised as the tenant's.
    public var tokens: [String]
    /// The library, or the view of one, that the tenant sees; make a limited view by `PhotoLibrary.view(for:)`.
    public var library: PhotoLibrary
    /// The tenant's share of the renders and of the memory budget while several tenants want some, beside the weights of
    /// the others.
    public var weight: Double
    /// How many of the tenant's requests may wait for pictures; beyond it, they are answered by 503.
    public var waitingLimit: Int
    /// How many streams of changes the tenant may have open; beyond it, they are answered by 503.
    public var streamLimit: Int
    /// How many bytes the tenant may be sent a day; nil for any number. Beyond it, requests are answered by 429.
    public var dailyByteLimit: Int?
    /// Whether the tenant may mark favourites.
    public var allowsEditing: Bool
    /// The folders outside of which nothing is delivered to the tenant, wherever symbolic links in its folders lead; nil for those of
    /// the handler's configuration.
    public var roots: [String]?

    /// Makes a tenant.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - tokens: The tokens.
    ///   - library: What the tenant sees.
    ///   - weight: The tenant's share beside those of the others.
    ///   - waitingLimit: How many requests may wait.
    ///   - streamLimit: How many streams of changes may be open.
    ///   - dailyByteLimit: How many bytes a day; nil for any number.
    ///   - allowsEditing: Whether the tenant may mark favourites.
    ///   - roots: The folders that the tenant's files lie in; nil for those of the handler's configuration.
    public init(
        name: String, tokens: [String], library: PhotoLibrary, weight: Double = 1, waitingLimit: Int = 1024,
        streamLimit: Int = 64, dailyByteLimit: Int? = nil, allowsEditing: Bool = true,
        roots: [String]? = nil
    ) {
        (self.name, self.tokens, self.library, self.weight) = (name, tokens, library, weight)
        (self.streamLimit, self.roots) = (streamLimit, roots)
        (self.waitingLimit, self.dailyByteLimit, self.allowsEditing) = (waitingLimit, dailyByteLimit, allowsEditing)
    }
}
