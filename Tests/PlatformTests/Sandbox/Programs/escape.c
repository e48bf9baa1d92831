// Tries operations that a sandboxed child may or may not do, and prints one line for each: its
// name, and "yes" or the error number.
//
// Arguments: a file that it may read, a file that it may not read, a folder that it may not write
// to, a port.

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern long syscall(long number, ...);

static void tell(const char *name, int isDone) {
    if (isDone) printf("%s yes\n", name);
    else printf("%s %d\n", name, errno);
}

static void *run(void *value) { return value; }

static int startThread(void) {
    pthread_t thread;
    void *result = NULL;
    errno = pthread_create(&thread, NULL, run, "done");
    if (errno != 0) return 0;
    pthread_join(thread, &result);
    return result && !strcmp(result, "done");
}

static int startProcess(pid_t process) {
    if (process == 0) _exit(0);
    if (process > 0) waitpid(process, NULL, 0);
    return process > 0;
}

static int getMemory(size_t bytes) {
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
    memory[bytes / 2] = 1;
    return munmap(memory, bytes) == 0;
}

static int connectTo(int port) {
    int channel = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return channel >= 0 && connect(channel, (struct sockaddr *)&address, sizeof address) == 0;
}

static int listenAt(void) {
    int channel = socket(AF_INET, SOCK_STREAM, 0);
    return channel >= 0 && listen(channel, 1) == 0;
}

static int openLater(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/escaped", folder);
    return open(path, O_WRONLY | O_CREAT, 0600) >= 0;
}

static int openDescriptors(void) {
    int count = 0;
    for (int file = 3; file < 1024; file += 1) count += fcntl(file, F_GETFD) >= 0;
    return count;
}

int main(int count, char **arguments) {
    if (count < 5) return 2;
    const char *open_ = arguments[1], *secret = arguments[2], *folder = arguments[3];
    char *const words[] = {"/bin/true", NULL};
    struct rlimit limit = {.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("descriptors %d\n", openDescriptors());
    tell("read-own", open(open_, O_RDONLY) >= 0);
    tell("read-system", open("/etc/ld.so.cache", O_RDONLY) >= 0);
    tell("read-random", open("/dev/urandom", O_RDONLY) >= 0);
    tell("thread", startThread());
    tell("memory", getMemory(64 << 20));
    tell("raise-own", raise(0) == 0);
    tell("read-secret", open(secret, O_RDONLY) >= 0);
    tell("read-shadow", open("/etc/shadow", O_RDONLY) >= 0);
    tell("read-parent", open("/proc/1/environ", O_RDONLY) >= 0);
    tell("write-own", open(open_, O_WRONLY) >= 0);
    tell("write-outside", openLater(folder));
    tell("write-tmp", openLater("/tmp"));
    tell("fork", startProcess((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
    tell("fork-library", startProcess(fork()));
    tell("namespace", syscall(SYS_unshare, 0x10000000) == 0);
    tell("local-socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    tell("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    tell("listen", listenAt());
    tell("connect", connectTo(atoi(arguments[4])));
    tell("kill-parent", kill(getppid(), 0) == 0);
    tell("ptrace-parent", ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0);
    tell("slow-parent", sched_setscheduler(getppid(), SCHED_OTHER, &(struct sched_param){0}) == 0);
    tell("limit-parent", syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, &limit, NULL) == 0);
    tell("raise-limit", setrlimit(RLIMIT_FSIZE, &limit) == 0);
    tell("mount", mount("none", "/mnt", "tmpfs", 0, NULL) == 0);
    tell("untie", prctl(PR_SET_PDEATHSIG, 0) == 0);
    tell("type", ioctl(2, TIOCSTI, "x") == 0);
    tell("own-user", setuid(0) == 0 && syscall(SYS_capset, NULL, NULL) == 0);
    tell("much-memory", getMemory((size_t)3 << 30));
    printf("privileges %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    // This attempt comes last because it may terminate the process.
    if (count > 5) tell("exec", execv(words[0], words) == 0);
    return 0;
}
