// Re-exports the library, whose types are behind PhotoKit's names, so that `import ThumbwheelPhotos` brings their members too.
@_exported import Thumbwheel
