/// The templates of recent jobs. A new job with an equal form and an equal prediction shares their objects.
struct JobTemplates: Sendable {
    private static let count = 64
    private var forms = RenditionForms()
    private var predictions = RenderPredictions()
    private var recent: [JobTemplate?] = Array(repeating: nil, count: count)

    /// Returns the template for a rendition that is made with some work.
    mutating func template(of key: RenditionKey, _ work: RenderWork) -> JobTemplate {
        let form = forms.form(of: key)
        let prediction = predictions.shared(work.prediction)
        // Objects lie at least sixteen bytes apart, so the lowest bits of their addresses are equal.
        let bits = UInt(bitPattern: ObjectIdentifier(form).hashValue ^ ObjectIdentifier(prediction).hashValue &* 3)
        let place = Int(bits >> 4) & (Self.count - 1)
        if let template = recent[place], template.form === form, template.prediction === prediction { return template }
        let template = JobTemplate(form, prediction)
        recent[place] = template
        return template
    }
}
