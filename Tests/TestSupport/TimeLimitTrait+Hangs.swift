public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, with its name. Tests share the processors with all others, and with whatever else runs on the
    /// machine, and a test's time includes its wait for a thread and for its turn. So the limit is longer than any run of all of
    /// them: no test that makes progress meets it.
    public static var endsHangs: Self { .timeLimit(.minutes(60)) }
}
