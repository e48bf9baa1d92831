#define _GNU_SOURCE
#include "CallWatch.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "WatchedCalls.h"

static _Thread_local bool is_on;
static uint64_t counts[CallKindCount];
static const char *last_names[CallKindCount];

void call_watch_mark(bool isOn) { is_on = isOn; }

uint64_t call_watch_count(enum CallKind kind) { return counts[kind]; }

const char *call_watch_last(enum CallKind kind) { return last_names[kind]; }

void call_watch_note(enum CallKind kind, const char *name) {
    if (!is_on) return;
    counts[kind]++;
    last_names[kind] = name;
}

#if defined(__x86_64__)
static bool is_import(uint64_t type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT; }
#elif defined(__aarch64__)
static bool is_import(uint64_t type) { return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT; }
#else
static bool is_import(uint64_t type) { (void)type; return false; }
#endif

/// The entries of a library's dynamic section that the watch needs.
typedef struct Tables {
    const Elf64_Sym *symbols;
    const char *names;
    const Elf64_Rela *relocations[2];
    size_t counts[2];
} Tables;

static Tables read_tables(const Elf64_Dyn *entry) {
    Tables tables = {0};
    for (; entry->d_tag != DT_NULL; entry++) {
        // The loader has already made these addresses absolute.
        switch (entry->d_tag) {
        case DT_SYMTAB: tables.symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: tables.names = (const void *)entry->d_un.d_ptr; break;
        case DT_JMPREL: tables.relocations[0] = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: tables.counts[0] = entry->d_un.d_val / sizeof(Elf64_Rela); break;
        case DT_RELA: tables.relocations[1] = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: tables.counts[1] = entry->d_un.d_val / sizeof(Elf64_Rela); break;
        default: break;
        }
    }
    return tables;
}

/// Overwrites a table entry that the loader may have made read-only.
static void redirect(void **place, void *function) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)place & ~(page - 1));
    if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0) *place = function;
}

static int redirect_library(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    // The program itself has an empty name. Calls of the C library and the loader do not count.
    const char *name = strrchr(info->dlpi_name, '/');
    if (!name || strncmp(name, "/libc.so", 8) == 0 || strncmp(name, "/ld-linux", 9) == 0) return 0;
    const Elf64_Dyn *dynamic = NULL;
    for (int place = 0; place < info->dlpi_phnum; place++)
        if (info->dlpi_phdr[place].p_type == PT_DYNAMIC)
            dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[place].p_vaddr);
    if (!dynamic) return 0;
    Tables tables = read_tables(dynamic);
    if (!tables.symbols || !tables.names) return 0;
    for (int kind = 0; kind < 2; kind++) {
        for (size_t place = 0; tables.relocations[kind] && place < tables.counts[kind]; place++) {
            const Elf64_Rela *entry = &tables.relocations[kind][place];
            if (!is_import(ELF64_R_TYPE(entry->r_info))) continue;
            const Elf64_Sym *symbol = &tables.symbols[ELF64_R_SYM(entry->r_info)];
            void *function = watched_function(tables.names + symbol->st_name);
            if (function) redirect((void **)(info->dlpi_addr + entry->r_offset), function);
        }
    }
    return 0;
}

void call_watch_install(void) { dl_iterate_phdr(redirect_library, NULL); }
