// dladdr is declared for _GNU_SOURCE only.
#define _GNU_SOURCE
#include "CLinux.h"

#include <dlfcn.h>
#include <stddef.h>

const char *_Nullable linux_library_path(const char *_Nonnull symbol) {
    void *address = dlsym(RTLD_DEFAULT, symbol);
    Dl_info library;
    return address && dladdr(address, &library) != 0 ? library.dli_fname : NULL;
}

const char *_Nullable linux_library_text(const char *_Nonnull function) {
    void *address = dlsym(RTLD_DEFAULT, function);
    return address ? ((const char *(*)(void))address)() : NULL;
}
