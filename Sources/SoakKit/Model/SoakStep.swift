import Thumbwheel

/// One thing that the host or one of its users does. A seed gives the same steps in the same order each time.
package enum SoakStep: Sendable {
    /// A transaction through a user's view.
    case edit(LibraryEdit, user: Int, pin: Pin?)
    /// Several threads each toggle the favorite of other assets, again and again, at the same time.
    case storm([[Int]])
    /// A user fetches an album or a folder, and keeps the result to edit by it later.
    case look(node: Int, user: Int)
    /// What a user may see changes; with or without a new observation.
    case access([Int], user: Int, isObservedAnew: Bool)
    case request(RequestShape, asset: Int, user: Int)
    /// Ends all requests that were given a user's token, which is then another.
    case cancelToken(user: Int)
    case cancelRequests(user: Int)
    case setPriority(user: Int)
    /// Prepares, or gives up, images of a user's assets.
    case window(isStarted: Bool, user: Int)
    case openGrid(user: Int)
    case scroll(Double, user: Int)
    case closeGrid(user: Int)
    case pressure(MemoryPressure, user: Int)
    /// A user's image manager goes, and another comes.
    case dropManager(user: Int, isShutDown: Bool)
    /// Handlers and providers that wait may go on.
    case openGate
    case forget(asset: Int, user: Int)
    case save
    /// The service ends and begins again, with the library that was saved last or, after an orderly end, just now.
    case restart(isOrderly: Bool)
    /// A saved file is damaged, and the library looked for in what is left.
    case damage(place: Double, isCut: Bool)

    /// Which of a user's kept results an edit goes by.
    package struct Pin: Sendable, Equatable {
        package let slot: Int
        package let isOfMembers: Bool
    }
}
