// Plugins that try to leave their sandbox.
//
// "escape" makes the attempt that its control selects and reports 1, or the negative error number;
// "escape-eager" opens a socket during instantiation, "escape-stubborn" fails to instantiate
// without one, and "escape-curious" reads and writes files during instantiation.

#include <errno.h>
#include <fcntl.h>
#include <lv2/core/lv2.h>
#include <lv2/state/state.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern long syscall(long number, ...);

// The folder of the plugin, which it may read and not change; with a slash at the end.
static char folder[2048];

typedef struct Instance {
    float *in, *out, *attempt, *result;
    LV2_State_Make_Path *makePath;
    int last;
} Instance;

static void *run(void *value) { return value; }

static int startThread(void) {
    pthread_t thread;
    void *result = NULL;
    errno = pthread_create(&thread, NULL, run, "done");
    if (errno != 0) return 0;
    pthread_join(thread, &result);
    return result && !strcmp(result, "done");
}

static int startProcess(void) {
    pid_t process = fork();
    if (process == 0) _exit(0);
    if (process > 0) waitpid(process, NULL, 0);
    return process > 0;
}

static int startProgram(void) {
    char *const words[] = {"/bin/true", NULL};
    return execv(words[0], words) == 0;
}

static int writeTo(const char *path) {
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    int isWritten = file >= 0 && write(file, "x", 1) == 1;
    int reason = errno;
    if (file >= 0) close(file);
    errno = reason;
    return isWritten;
}

static int writeOwn(Instance *instance) {
    LV2_State_Make_Path *maker = instance->makePath;
    char *path = maker ? maker->path(maker->handle, "kept/sound.txt") : NULL;
    int isWritten = writeTo(path);
    free(path);
    return isWritten;
}

static int writeTemporary(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/temporary", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    return writeTo(path) && unlink(path) == 0;
}

// Returns the path of a file in the folder of the plugin.
static const char *ownPath(const char *name) {
    static char paths[2][4096];
    static int next;
    next = !next;
    snprintf(paths[next], sizeof paths[next], "%s%s", folder, name);
    return paths[next];
}

static int canRead(const char *path) { return open(path, O_RDONLY) >= 0; }

// Blocks all signals first, as many programs do in their threads.
static int canReadBlocked(const char *path) {
    sigset_t signals;
    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    return canRead(path);
}

static volatile int handled;
static const char *handledPath;

static void readInHandler(int number) {
    (void)number;
    int result = canRead(handledPath);
    handled = result ? 1 : -errno;
}

// Reads in a handler that blocks all signals.
static int canReadInHandler(const char *path) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = readInHandler;
    sigfillset(&action.sa_mask);
    handledPath = path;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    errno = handled < 0 ? -handled : 0;
    return handled > 0;
}

// Makes the call itself, not through the library's function.
static int canReadDirectly(const char *path) { return syscall(SYS_openat, AT_FDCWD, path, O_RDONLY) >= 0; }

static int executeMemory(void) {
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0;
}

static int openSocket(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }

static void ignoreSignal(int number) { (void)number; }

static int openSocketUnseen(void) {
    signal(SIGSYS, ignoreSignal);
    return openSocket();
}

static int openSocketBlocked(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGSYS);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    return openSocket();
}

// 3 is the shared memory, 4 the program's own copy of its standard output.
static int hasOnlyItsDescriptors(void) {
    for (int file = 5; file < 1024; file += 1)
        if (fcntl(file, F_GETFD) >= 0) return 0;
    return 1;
}

static int setForeignLimit(void) {
    struct rlimit limit = {.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
    return syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, &limit, NULL) == 0;
}

static int slowParent(void) {
    struct sched_param none = {0};
    return sched_setscheduler(getppid(), SCHED_OTHER, &none) == 0;
}

static int act(Instance *instance, int attempt) {
    errno = 0;
    switch (attempt) {
    case 1: return canRead("/etc/shadow");
    case 2: return writeTo(ownPath("escaped"));
    case 3: return openSocket();
    case 4: return startProcess();
    case 5: return startProgram();
    case 6: return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0;
    case 7: return mount("none", "/mnt", "tmpfs", 0, NULL) == 0;
    case 8: return kill(getppid(), 0) == 0;
    case 9: return setForeignLimit();
    case 10: return slowParent();
    case 11: return openSocketUnseen();
    case 12: return openSocketBlocked();
    case 13: return unlink(ownPath("kept")) == 0;
    case 14: return canReadBlocked("/etc/shadow");
    case 15: return canReadInHandler("/etc/shadow");
    case 16: return canReadDirectly("/etc/shadow");
    case 17: return canRead("/etc/stompline\x1b[31m-none");
    case 18: return rename(ownPath("kept"), ownPath("moved")) == 0;
    case 20: return startThread();
    case 21: return executeMemory();
    case 22: return canRead("/proc/self/maps");
    case 23: return canRead("/dev/urandom");
    case 24: return canRead("/etc/ld.so.cache");
    case 25: return writeOwn(instance);
    case 26: return writeTemporary();
    case 27: return hasOnlyItsDescriptors();
    case 28: return raise(0) == 0;
    case 29: return canReadBlocked("/etc/ld.so.cache");
    case 30: return canReadInHandler("/etc/ld.so.cache");
    default: return 0;
    }
}

static LV2_Handle make(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)rate;
    snprintf(folder, sizeof folder, "%s", path);
    if (strstr(descriptor->URI, "curious")) {
        canRead("/etc/shadow");
        writeTo(ownPath("escaped"));
    }
    int hasSocket = (strstr(descriptor->URI, "eager") || strstr(descriptor->URI, "stubborn")) && openSocket();
    if (strstr(descriptor->URI, "stubborn") && !hasSocket) return NULL;
    Instance *instance = calloc(1, sizeof(Instance));
    for (; *features; features += 1)
        if (!strcmp((*features)->URI, LV2_STATE__makePath)) instance->makePath = (*features)->data;
    return instance;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *place) {
    Instance *instance = handle;
    if (port == 0) instance->in = place;
    if (port == 1) instance->out = place;
    if (port == 2) instance->attempt = place;
    if (port == 3) instance->result = place;
}

static void runBlock(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    int attempt = (int)(*instance->attempt + 0.5f);
    for (uint32_t k = 0; k < count; k += 1) instance->out[k] = 2 * instance->in[k];
    if (attempt == instance->last) return;
    instance->last = attempt;
    *instance->result = act(instance, attempt) ? 1 : (float)-errno;
}

static void cleanup(LV2_Handle handle) { free(handle); }

#define PLUGIN(NAME) {"urn:stompline-test:" NAME, make, connectPort, NULL, runBlock, NULL, cleanup, NULL}

static const LV2_Descriptor descriptors[] = {
    PLUGIN("escape"), PLUGIN("escape-eager"), PLUGIN("escape-stubborn"), PLUGIN("escape-curious"),
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
