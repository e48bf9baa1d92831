internal import Glibc

/// A wait for descriptors.
package enum PollWait {
    /// Sleeps until a descriptor is readable or has failed, or the time is over.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors; negative ones are ignored.
    ///   - milliseconds: The longest sleep, in ms; negative for no limit.
    package static func untilReadable(_ descriptors: Int32..., milliseconds: Int32) {
        var files = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&files, nfds_t(files.count), milliseconds)
    }
}
