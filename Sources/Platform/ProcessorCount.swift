internal import Glibc

/// The number of processors.
public enum ProcessorCount {
    /// The number of processors that the system uses, at least 1.
    public static var online: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
