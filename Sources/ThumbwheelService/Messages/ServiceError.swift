import Foundation
import ThumbwheelCore

/// A refusal: a status and one line of JSON. It tells nothing about the host: neither paths nor the library's own errors.
struct ServiceError: Error, Equatable {
    let status: Int
    /// A short name for programs.
    let name: String
    /// One sentence for people.
    let message: String
    var fields = HTTPFields()

    static let malformed = ServiceError(status: 400, name: "malformedTarget", message: "the address is not well formed")
    static let parameter = ServiceError(
        status: 400, name: "invalidParameter", message: "a parameter of the address is not valid")
    static let size = ServiceError(
        status: 400, name: "invalidSize", message: "a side is a number of pixels from 1 to 16384")
    static let body = ServiceError(status: 400, name: "unexpectedBody", message: "this request takes no body")
    static let unauthorized = ServiceError(
        status: 401, name: "unauthorized", message: "a valid token is needed",
        fields: ["www-authenticate": "Bearer realm=\"thumbwheel\""])
    static let forbidden = ServiceError(status: 403, name: "forbidden", message: "this is not allowed")
    static let signature = ServiceError(
        status: 403, name: "invalidSignature", message: "the signature is wrong or has expired")
    static let notFound = ServiceError(status: 404, name: "notFound", message: "there is nothing at this address")
    static let format = ServiceError(
        status: 404, name: "unknownFormat", message: "pictures are made as jpg, webp, png and avif")
    static let notAcceptable = ServiceError(
        status: 406, name: "notAcceptable", message: "pictures are made as JPEG, WebP, PNG and AVIF",
        fields: ["vary": "accept"])
    static let conflict = ServiceError(
        status: 409, name: "notChanged", message: "the library has not taken the change")
    static let gone = ServiceError(status: 410, name: "gone", message: "the photograph has changed since")
    static let precondition = ServiceError(
        status: 412, name: "preconditionFailed", message: "a precondition is not met")
    static let tooLarge = ServiceError(status: 413, name: "bodyTooLarge", message: "the body is too long")
    static let longTarget = ServiceError(status: 414, name: "targetTooLong", message: "the address is too long")
    static let notJSON = ServiceError(status: 415, name: "notJSON", message: "the body must be application/json")
    static let notRenderable = ServiceError(
        status: 422, name: "notRenderable", message: "no picture can be made of this asset")
    static let host = ServiceError(
        status: 421, name: "unknownHost",
        message: "the service is not known by this name, which its option hosts can add")
    static let fields = ServiceError(status: 431, name: "fieldsTooLarge", message: "the header is too long")
    static let elsewhere = ServiceError(
        status: 502, name: "unreachable", message: "the photograph cannot be had from where it lies")
    static let failed = ServiceError(status: 500, name: "failed", message: "the request has failed")

    static func method(allowing methods: String) -> ServiceError {
        ServiceError(
            status: 405, name: "methodNotAllowed", message: "this address takes \(methods)", fields: ["allow": methods])
    }

    /// - Parameter seconds: How soon the client may try again.
    static func busy(retryAfter seconds: Int) -> ServiceError {
        ServiceError(
            status: 503, name: "busy", message: "too much is asked for at present",
            fields: ["retry-after": "\(seconds)"])
    }

    /// The refusal for a file that could not be opened. Only a lack of descriptors passes by itself.
    static func opening(_ error: ByteSourceError) -> ServiceError {
        error.isLackOfDescriptors ? .busy(retryAfter: 1) : .notFound
    }

    var response: ServiceResponse {
        // A service that is asked for too much makes many of these. No text has a letter that JSON writes in another way.
        var response = ServiceResponse(
            status: status, type: "application/json", text: "{\"error\":\"\(name)\",\"message\":\"\(message)\"}\n")
        for field in fields.fields { response.fields.add(field.name, field.value) }
        return response
    }
}

extension ByteSourceError {
    /// Whether the process, or the whole host, has as many open files as it may have.
    var isLackOfDescriptors: Bool {
        if case .unreadable(_, let code) = self { code == EMFILE || code == ENFILE } else { false }
    }
}
