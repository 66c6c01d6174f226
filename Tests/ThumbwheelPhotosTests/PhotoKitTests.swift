import Testing

/// The suites whose tests fetch from the process's shared library. Their tests run one after another.
@Suite("PhotoKit's spellings", .serialized) enum PhotoKitTests {}
