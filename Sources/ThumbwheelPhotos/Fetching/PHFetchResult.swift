import Foundation
import Thumbwheel

/// An ordered list of objects that never changes. Objects are made when they are asked for.
///
/// Unchecked sendability: the result has one constant, a value.
public final class PHFetchResult<ObjectType: PHObject>: NSObject, NSCopying, Sequence, @unchecked Sendable {
    let contents: PHFetchContents

    /// - Parameter contents: values whose objects are of the class `ObjectType`.
    init(_ contents: PHFetchContents) {
        self.contents = contents
    }

    /// Returns the result itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The number of objects.
    public var count: Int { contents.count }

    /// The object at an index.
    ///
    /// - Precondition: the index is at least 0 and less than `count`.
    public func object(at index: Int) -> ObjectType {
        // The fetch that made the result chose contents that become objects of this class.
        contents.object(at: index) as! ObjectType
    }

    /// The object at an index.
    public subscript(index: Int) -> ObjectType { object(at: index) }

    /// The objects at some indexes, in their order.
    public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map { object(at: $0) } }

    /// The first object; nil if there is none.
    public var firstObject: ObjectType? { count > 0 ? object(at: 0) : nil }

    /// The last object; nil if there is none.
    public var lastObject: ObjectType? { count > 0 ? object(at: count - 1) : nil }

    /// Whether the result has an object.
    ///
    /// - Complexity: linear in the count.
    public func contains(_ object: ObjectType) -> Bool { index(of: object) != NSNotFound }

    /// The index of an object; `NSNotFound` if the result does not have it.
    ///
    /// - Complexity: linear in the count.
    public func index(of object: ObjectType) -> Int { contents.index(of: object) ?? NSNotFound }

    /// The index of an object within a range; `NSNotFound` if it is not there.
    public func index(of object: ObjectType, in range: NSRange) -> Int {
        contents.index(of: object, in: range.location..<range.location + range.length) ?? NSNotFound
    }

    /// Calls `body` with each object and its index until it sets its last argument.
    public func enumerateObjects(_ body: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        enumerate(0..<count, body)
    }

    /// Calls `body` with each object and its index until it sets its last argument.
    ///
    /// - Parameters:
    ///   - options: `.reverse` for the last object first; `.concurrent` for calls on several threads at once, in no particular order.
    ///     After a call that sets its last argument, no other begins.
    ///   - body: the closure to call. With `.concurrent`, it must be safe to call on several threads.
    public func enumerateObjects(
        options: NSEnumerationOptions, using body: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerate(0..<count, options, body)
    }

    /// Calls `body` with the objects at some indexes until it sets its last argument; the options count as above.
    public func enumerateObjects(
        at indexes: IndexSet, options: NSEnumerationOptions = [],
        using body: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerate(indexes, options, body)
    }

    private func enumerate(
        _ indexes: some BidirectionalCollection<Int>, _ options: NSEnumerationOptions,
        _ body: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        guard !options.contains(.concurrent) else { return enumerateConcurrently(indexes, body) }
        if options.contains(.reverse) { enumerate(indexes.reversed(), body) } else { enumerate(indexes, body) }
    }

    private func enumerateConcurrently(
        _ indexes: some Sequence<Int>, _ body: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        withoutActuallyEscaping(body) { body in
            // The caller asks for calls on several threads at once, and so answers for all that `body` touches.
            nonisolated(unsafe) let body = body
            FetchResult(indexes).enumerateObjectsConcurrently { index, _, stops in
                var stop = ObjCBool(false)
                body(object(at: index), index, &stop)
                stops = stop.boolValue
            }
        }
    }

    private func enumerate(
        _ indexes: some Sequence<Int>, _ body: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        var stop = ObjCBool(false)
        for index in indexes {
            body(object(at: index), index, &stop)
            if stop.boolValue { return }
        }
    }

    /// The number of assets of a type; 0 in a result of collections.
    public func countOfAssets(with type: PHAssetMediaType) -> Int { contents.countOfAssets(with: type) }

    public func makeIterator() -> some IteratorProtocol<ObjectType> {
        (0..<count).lazy.map { [self] in object(at: $0) }.makeIterator()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? PHFetchResult<ObjectType>).map { contents.hasSameObjects(as: $0.contents) } ?? false
    }

    public override var hash: Int { count }
}
