import ThumbwheelCore

/// The work that a host gives to a decoder process: the images to make from one file.
package struct DecodeJob: Equatable, Sendable {
    /// The place where the bytes of the file are.
    package enum Contents: Equatable, Sendable {
        /// `byteCount` bytes of an open file, from the offset `start` on. The file's descriptor is sent with the job.
        case file(start: Int, byteCount: Int)
        /// `byteCount` bytes that are not in an open file. The first of them, `front`, are sent with the job. The
        /// decoder requests all others, and the host (the program that uses this library) places them in a window of
        /// shared memory (`SharedWindow`), whose descriptor is sent with the job as well. If `readsAhead`, the decoder
        /// may request more bytes than it needs.
        case requested(byteCount: Int, front: [UInt8], readsAhead: Bool)
    }

    /// The images to make.
    package enum Work: Equatable, Sendable {
        /// Final images, one for each of the options, from one decode.
        case images([RenderOptions])
        /// A degraded image from a preview in the file.
        case preview(RenderOptions)
        /// No image. The decoder process reads the parts of the file that an image with these options needs, so that
        /// the host learns which parts are needed. If `readsAlternatives`, these are all frames from which a video's
        /// poster may be chosen, and otherwise only the first one.
        case reading(RenderOptions, readsAlternatives: Bool)
    }

    package var contents: Contents
    package var work: Work
    package var makesThumbHash = false
    package var limits = RenderLimits()
}

extension DecodeJob {
    func write(to writer: inout MessageWriter) {
        switch contents {
        case .file(let start, let byteCount):
            writer.write(UInt8(0))
            writer.write(start)
            writer.write(byteCount)
        case .requested(let byteCount, let front, let readsAhead):
            writer.write(UInt8(1))
            writer.write(byteCount)
            writer.write(front)
            writer.write(readsAhead)
        }
        switch work {
        case .images(let options):
            writer.write(UInt8(0))
            writer.write(options.count)
            for options in options { options.write(to: &writer) }
        case .preview(let options):
            writer.write(UInt8(1))
            options.write(to: &writer)
        case .reading(let options, let readsAlternatives):
            writer.write(UInt8(2))
            options.write(to: &writer)
            writer.write(readsAlternatives)
        }
        writer.write(makesThumbHash)
        limits.write(to: &writer)
    }

    init(from reader: inout MessageReader) throws(MessageError) {
        switch try reader.byte() {
        case 0:
            let (start, byteCount) = (try reader.number(in: 0...Int.max), try reader.number(in: 0...Int.max))
            guard byteCount <= Int.max - start else { throw MessageError() }
            contents = .file(start: start, byteCount: byteCount)
        case 1:
            contents = .requested(
                byteCount: try reader.number(in: 0...Int.max),
                front: try reader.block(atMost: MessageFormat.frontLimit),
                readsAhead: try reader.flag())
        default: throw MessageError()
        }
        switch try reader.byte() {
        case 0:
            var options: [RenderOptions] = []
            for _ in 0..<(try reader.number(in: 1...MessageFormat.optionLimit)) {
                options.append(try RenderOptions(from: &reader))
            }
            work = .images(options)
        case 1: work = .preview(try RenderOptions(from: &reader))
        case 2: work = .reading(try RenderOptions(from: &reader), readsAlternatives: try reader.flag())
        default: throw MessageError()
        }
        makesThumbHash = try reader.flag()
        limits = try RenderLimits(from: &reader)
    }
}
