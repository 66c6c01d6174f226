/// The parts of a job's key and work that many waiting jobs have in common. Such jobs share one object, so that each has
/// only one word for it.
final class JobTemplate: Sendable {
    let form: RenditionForm
    let prediction: RenderPrediction

    init(_ form: RenditionForm, _ prediction: RenderPrediction) {
        self.form = form
        self.prediction = prediction
    }
}
