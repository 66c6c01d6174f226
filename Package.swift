// swift-tools-version: 6.2

import PackageDescription

// A library that is embedded must not choose its host's allocator: only executables (the command line, the soak)
// link jemalloc, and a build with THUMBWHEEL_ALLOCATOR=system (sanitizers, comparisons) leaves it out.
let usesJemalloc = Context.environment["THUMBWHEEL_ALLOCATOR"] != "system"

// libvips's own pkg-config file carries flags that SwiftPM prohibits and warns about; on Linux its headers and library
// are found with gobject's flags and the module map's `link` line.
// hiredis's has such a flag as well, and on Linux nothing that the compiler would not find without it.
#if os(macOS)
let vipsPackage = "vips"
let hiredisPackage: String? = "hiredis"
#else
let vipsPackage = "gobject-2.0"
let hiredisPackage: String? = nil
#endif

// MemberImportVisibility: a file sees a target's members only if it imports that target itself, not because another file
// of the same target does. So a file's imports are all the floors that it stands on.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

// SHA-256: on a Mac the system's own, elsewhere OpenSSL's.
#if os(macOS)
let cryptography: [Target.Dependency] = []
#else
let cryptography: [Target.Dependency] = ["CCrypto"]
#endif

func floor(_ name: String, on dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tool(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: settings)
}

let package = Package(
    name: "thumbwheel",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Thumbwheel", targets: ["Thumbwheel"]),
        .library(name: "ThumbwheelHTTP", targets: ["ThumbwheelHTTP"]),
        .library(name: "ThumbwheelMedia", targets: ["ThumbwheelMedia"]),
        .library(name: "ThumbwheelRedis", targets: ["ThumbwheelRedis"]),
        .library(name: "ThumbwheelPhotos", targets: ["ThumbwheelPhotos"]),
        .library(name: "ThumbwheelGrid", targets: ["ThumbwheelGrid"]),
        .library(name: "ThumbwheelReplay", targets: ["ThumbwheelReplay"]),
        .library(name: "ThumbwheelService", targets: ["ThumbwheelService"]),
        .library(name: "ThumbwheelServer", targets: ["ThumbwheelServer"]),
        .executable(name: "thumbwheel", targets: ["ThumbwheelCLI"]),
        .executable(name: "thumbwheel-decoder", targets: ["thumbwheel-decoder"]),
        .executable(name: "thumbwheel-media-decoder", targets: ["thumbwheel-media-decoder"]),
    ],
    targets: [
        // 0: system libraries, a C string that jemalloc looks for, the mutex, and the start of libvips
        .systemLibrary(
            name: "CVips", pkgConfig: vipsPackage, providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
        .systemLibrary(
            name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(
            name: "CDe265", pkgConfig: "libde265", providers: [.apt(["libde265-dev"]), .brew(["libde265"])]),
        .systemLibrary(
            name: "CDav1d", pkgConfig: "dav1d", providers: [.apt(["libdav1d-dev"]), .brew(["dav1d"])]),
        .systemLibrary(
            name: "CLibAV", pkgConfig: "libavformat",
            providers: [.apt(["libavcodec-dev", "libavformat-dev"]), .brew(["ffmpeg"])]),
        .systemLibrary(
            name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
        .systemLibrary(
            name: "CHiredis", pkgConfig: hiredisPackage, providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"]), .brew(["jemalloc"])]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
        // System calls for the processes that decode what is not trusted; header only.
        .systemLibrary(name: "CIsolation"),
        .target(name: "JemallocOptions"),
        .target(name: "UncachedJemallocOptions"),
        floor("ThumbwheelLocks", on: []),
        floor("VipsStart", on: ["CVips"]),

        // 1 to 8: the libraries
        floor("ThumbwheelCore", on: ["ThumbwheelLocks"]),
        floor("ThumbwheelFormats", on: ["ThumbwheelCore"]),
        floor("ThumbwheelAssets", on: ["ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats"] + cryptography),
        floor(
            "ThumbwheelRendering",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats", "CVips", "CWebP", "CISAL", "CDe265",
                "CDav1d", "CIsolation", "VipsStart",
            ]),
        floor("ThumbwheelCaching", on: ["ThumbwheelLocks", "ThumbwheelCore", "CSQLite", "CISAL"]),
        floor("ThumbwheelScheduling", on: ["ThumbwheelCore"]),
        floor(
            "ThumbwheelPipeline",
            on: [
                "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelAssets", "ThumbwheelRendering", "ThumbwheelCaching",
                "ThumbwheelScheduling",
            ]),
        floor(
            "Thumbwheel",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelAssets", "ThumbwheelRendering",
                "ThumbwheelCaching", "ThumbwheelScheduling", "ThumbwheelPipeline",
            ]),
        // The only one that links libcurl: who has a client of its own need not have this one as well.
        floor("ThumbwheelHTTP", on: ["ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelAssets", "CCurl"]),
        // The only one that links libavcodec and libavformat, which are under the GPL as Debian builds them.
        floor("ThumbwheelMedia", on: ["ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelRendering", "CLibAV"]),
        // The tier that several servers share; the only one that links hiredis.
        floor("ThumbwheelRedis", on: ["ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelCaching", "CHiredis"]),
        floor("ThumbwheelGrid", on: ["ThumbwheelLocks", "ThumbwheelCore", "Thumbwheel"]),
        floor("ThumbwheelPhotos", on: ["ThumbwheelLocks", "ThumbwheelCore", "Thumbwheel"]),
        floor(
            "ThumbwheelReplay",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelCaching", "ThumbwheelPipeline", "Thumbwheel",
                "ThumbwheelGrid",
            ]),
        // The gallery over HTTP: what answers requests, and the server, which is the only one that links libmicrohttpd.
        .target(
            name: "ThumbwheelService",
            dependencies: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelScheduling", "Thumbwheel", "CISAL",
            ] + cryptography,
            resources: [.embedInCode("Gallery/Page")], swiftSettings: settings),
        floor("ThumbwheelServer", on: ["ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelService", "CMicroHTTPD"]),

        // 9: what is run
        tool(
            "ThumbwheelCLI",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelCaching", "ThumbwheelScheduling", "ThumbwheelPipeline",
                "Thumbwheel", "ThumbwheelGrid", "ThumbwheelReplay", "ThumbwheelMedia", "ThumbwheelRedis",
                "ThumbwheelService", "ThumbwheelServer", "CVips", "CSQLite",
            ]
                + (usesJemalloc ? ["CJemalloc", "JemallocOptions"] : [])),
        // The program of the processes that decode what is not trusted. It has no decoder under the GPL.
        .executableTarget(
            name: "thumbwheel-decoder", dependencies: ["ThumbwheelRendering"], path: "Sources/DecoderTool",
            swiftSettings: settings),
        // The same with the decoders of libav, under the GPL as Debian builds them.
        .executableTarget(
            name: "thumbwheel-media-decoder", dependencies: ["ThumbwheelRendering", "ThumbwheelMedia"],
            path: "Sources/MediaDecoderTool", swiftSettings: settings),
        tool("FixtureTool", on: ["FixtureKit"]),
        floor("FixtureKit", on: ["CTurboJPEG", "CVips", "VipsStart"]),
        tool("TortureTool", on: ["Thumbwheel", "TortureKit"]),
        floor("TortureKit", on: ["ThumbwheelLocks", "Thumbwheel"]),
        tool("SimulationTool", on: ["SimulationKit"]),
        floor(
            "SimulationKit",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelAssets", "ThumbwheelRendering",
                "ThumbwheelScheduling", "ThumbwheelPipeline",
            ]),
        tool("StoreTool", on: ["ThumbwheelCore", "ThumbwheelCaching"]),
        tool("SoakTool", on: ["SoakKit"] + (usesJemalloc ? ["CJemalloc", "UncachedJemallocOptions"] : [])),
        floor("SoakKit", on: ["ThumbwheelLocks", "Thumbwheel", "ThumbwheelGrid"]),

        // What the tests share, and the tests
        .executableTarget(
            name: "PlantedDecoder", dependencies: ["ThumbwheelCore", "ThumbwheelRendering", "CIsolation"],
            path: "Tests/PlantedDecoder", swiftSettings: settings),
        .target(
            name: "ReferenceJPEG", dependencies: ["CTurboJPEG"], path: "Tests/ReferenceJPEG",
            linkerSettings: [.linkedLibrary("jpeg")]),
        .systemLibrary(
            name: "CZlib", path: "Tests/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        floor("TestSupport", on: ["ThumbwheelLocks", "ThumbwheelCore", "Thumbwheel"], path: "Tests/TestSupport"),
        tests("ThumbwheelCoreTests", on: ["ThumbwheelLocks", "ThumbwheelCore"]),
        tests("ThumbwheelFormatsTests", on: ["ThumbwheelCore", "ThumbwheelFormats", "FixtureKit"]),
        tests(
            "ThumbwheelAssetsTests",
            on: ["ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelAssets"]),
        tests(
            "ThumbwheelRenderingTests",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelRendering", "FixtureKit",
                "ReferenceJPEG", "CISAL", "CIsolation", "CZlib",
            ]),
        tests("ThumbwheelCachingTests", on: ["ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelCaching"]),
        tests("ThumbwheelSchedulingTests", on: ["ThumbwheelCore", "ThumbwheelScheduling"]),
        tests(
            "ThumbwheelPipelineTests",
            on: [
                "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelAssets", "ThumbwheelRendering",
                "ThumbwheelScheduling", "ThumbwheelPipeline", "Thumbwheel", "SimulationKit",
            ]),
        tests(
            "ThumbwheelTests",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelAssets", "ThumbwheelRendering",
                "ThumbwheelScheduling", "ThumbwheelPipeline", "Thumbwheel", "FixtureKit", "SimulationKit",
            ]),
        tests("ThumbwheelHTTPTests", on: ["ThumbwheelLocks", "ThumbwheelCore", "Thumbwheel", "ThumbwheelHTTP"]),
        tests(
            "ThumbwheelPhotosTests",
            on: ["ThumbwheelLocks", "ThumbwheelAssets", "Thumbwheel", "ThumbwheelPhotos", "FixtureKit"]),
        tests(
            "ThumbwheelMediaTests",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelFormats", "ThumbwheelRendering", "Thumbwheel",
                "ThumbwheelMedia", "FixtureKit",
            ]),
        tests(
            "ThumbwheelRedisTests",
            on: ["ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelCaching", "ThumbwheelRedis", "Thumbwheel"]),
        tests("ThumbwheelGridTests", on: ["ThumbwheelLocks", "Thumbwheel", "ThumbwheelGrid"]),
        tests(
            "ThumbwheelReplayTests",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelAssets", "ThumbwheelCaching", "Thumbwheel",
                "ThumbwheelGrid", "ThumbwheelReplay",
            ]),
        tests(
            "ThumbwheelServiceTests",
            on: [
                "ThumbwheelLocks", "ThumbwheelCore", "ThumbwheelRendering", "ThumbwheelScheduling",
                "ThumbwheelPipeline", "Thumbwheel", "ThumbwheelService", "ThumbwheelServer",
            ]),
        tests("CommandLineTests", on: ["Thumbwheel", "FixtureKit"]),
        tests(
            "DocumentationTests",
            on: ["Thumbwheel", "ThumbwheelHTTP", "ThumbwheelRedis", "ThumbwheelGrid", "ThumbwheelReplay"]),
        tests("FixtureKitTests", on: ["FixtureKit"]),
        tests("TortureKitTests", on: ["Thumbwheel", "TortureKit"]),
        tests("SoakKitTests", on: ["Thumbwheel", "SoakKit"]),
    ],
    swiftLanguageModes: [.v6]
)
