// The shared libraries that the process has loaded.
#pragma once

/// Returns the path of the loaded library that defines a function or variable; NULL if none does.
///
/// The text is valid as long as the library is loaded.
const char *_Nullable linux_library_path(const char *_Nonnull symbol);

/// Calls a function without parameters that returns a constant text; NULL if no loaded library defines it.
const char *_Nullable linux_library_text(const char *_Nonnull function);
