// swift-tools-version: 6.2

import PackageDescription

// A package of its own: libFuzzer's flags must reach every module, and nobody who depends on the library needs this.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "thumbwheel", path: "..")],
    targets: [
        .executableTarget(
            name: "FuzzTarget",
            dependencies: [
                .product(name: "Thumbwheel", package: "thumbwheel"),
                .product(name: "ThumbwheelService", package: "thumbwheel"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")])
    ],
    swiftLanguageModes: [.v6]
)
