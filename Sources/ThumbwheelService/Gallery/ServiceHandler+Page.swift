extension ServiceHandler {
    /// Answers `/`: the gallery. `/?token=…` puts the token into a cookie and leads to `/`, so that it stays in no address.
    ///
    /// The cookie never goes out in the clear if the token came by TLS, as a proxy tells. Whoever else says so keeps only their own
    /// browser from sending it.
    func page(_ request: ServiceRequest, _ target: ServiceTarget) throws(ServiceError) -> ServiceResponse {
        try checkHost(of: request)
        if let token = target.query["token"] {
            guard residents.withToken(token) != nil, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x3B }) else {
                return ServiceError.unauthorized.response
            }
            let isByTLS = request.fields["x-forwarded-proto"]?.lowercased() == "https"
            let cookie =
                "thumbwheel=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000" + (isByTLS ? "; Secure" : "")
            return ServiceResponse(
                status: 303, fields: ["location": "/", "set-cookie": cookie, "cache-control": "no-store"])
        }
        let fields: HTTPFields = [
            "etag": GalleryPage.tag, "content-type": "text/html; charset=utf-8", "cache-control": "no-cache",
            "content-security-policy": GalleryPage.securityPolicy, "referrer-policy": "no-referrer",
        ]
        guard Conditions(request.fields).outcome(GalleryPage.tag) != .notModified else {
            return ServiceResponse(status: 304, fields: fields)
        }
        return ServiceResponse(status: 200, fields: fields, body: .bytes(GalleryPage.bytes))
    }
}
