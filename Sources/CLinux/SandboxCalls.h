// The system calls of a sandboxed child: those allowed, those that fail silently, and the names of
// refused ones.
#pragma once

#include <stddef.h>
#include <sys/syscall.h>

// Other architectures have other call numbers, and lack some calls.
#if (defined(__x86_64__) && !defined(__ILP32__)) || (defined(__aarch64__) && defined(__AARCH64EL__))
#define LINUX_SANDBOX_HAS_CALLS 1

/// Calls that are allowed with any arguments.
///
/// All plugins of Debian were run under a tracer; docs/measurements/plugins.md has the list. The
/// others are closely related calls that a C library may use instead. None of them accesses another
/// process, and the file rules restrict paths separately.
static const unsigned short linux_sandbox_allowed[] = {
    // First the calls that a running plugin makes in every cycle.
    __NR_futex, __NR_clock_nanosleep, __NR_nanosleep, __NR_clock_gettime, __NR_gettimeofday, __NR_read, __NR_write,
    __NR_ppoll, __NR_pselect6, __NR_sched_yield,
    // Memory.
    __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_brk, __NR_mincore, __NR_msync, __NR_mlock,
    __NR_mlock2, __NR_munlock, __NR_mlockall, __NR_munlockall, __NR_membarrier,
    // Open files, pipes and events.
    __NR_close, __NR_close_range, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv, __NR_pwritev,
    __NR_preadv2, __NR_pwritev2, __NR_lseek, __NR_fstat, __NR_fstatfs, __NR_ftruncate, __NR_fallocate, __NR_fsync,
    __NR_fdatasync, __NR_fadvise64, __NR_flock, __NR_fcntl, __NR_dup, __NR_dup3, __NR_pipe2, __NR_eventfd2,
    __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_timerfd_create, __NR_timerfd_settime,
    __NR_timerfd_gettime, __NR_inotify_init1, __NR_inotify_add_watch, __NR_inotify_rm_watch, __NR_memfd_create,
    __NR_sendfile, __NR_copy_file_range, __NR_readahead, __NR_getdents64, __NR_fchdir, __NR_fchmod,
    // Files by path.
    __NR_newfstatat, __NR_statx, __NR_statfs, __NR_faccessat, __NR_faccessat2, __NR_readlinkat, __NR_getcwd,
    __NR_chdir, __NR_fchmodat, __NR_utimensat, __NR_umask,
    // Threads and signals within the process.
    __NR_set_robust_list, __NR_get_robust_list, __NR_set_tid_address, __NR_rseq, __NR_sched_getaffinity,
    __NR_sched_getscheduler, __NR_sched_getparam, __NR_sched_getattr, __NR_sched_get_priority_max,
    __NR_sched_get_priority_min, __NR_sched_rr_get_interval, __NR_getpriority, __NR_rt_sigreturn, __NR_rt_sigpending, __NR_rt_sigsuspend, __NR_rt_sigtimedwait, __NR_sigaltstack,
    __NR_restart_syscall, __NR_exit, __NR_exit_group, __NR_wait4, __NR_waitid,
    // Time, and information about the process and the machine.
    __NR_clock_getres, __NR_times, __NR_getitimer, __NR_setitimer, __NR_timer_create, __NR_timer_settime,
    __NR_timer_gettime, __NR_timer_getoverrun, __NR_timer_delete, __NR_getrusage, __NR_sysinfo, __NR_uname,
    __NR_getrandom, __NR_getcpu, __NR_getpid, __NR_getppid, __NR_gettid, __NR_getuid, __NR_geteuid, __NR_getgid,
    __NR_getegid, __NR_getresuid, __NR_getresgid, __NR_getgroups, __NR_getpgid, __NR_getsid, __NR_capget,
#if defined(__x86_64__)
    // Calls that newer architectures lack.
    __NR_poll, __NR_select, __NR_epoll_create, __NR_epoll_wait, __NR_pipe, __NR_dup2, __NR_eventfd, __NR_inotify_init,
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_getdents, __NR_chmod, __NR_utime, __NR_utimes,
    __NR_futimesat, __NR_getrlimit, __NR_getpgrp, __NR_time, __NR_alarm, __NR_pause, __NR_arch_prctl,
#endif
};

/// Calls that are allowed with any arguments, and that Landlock restricts by their paths.
static const unsigned short linux_sandbox_by_path[] = {
    __NR_openat, __NR_mkdirat, __NR_unlinkat, __NR_renameat, __NR_renameat2, __NR_linkat, __NR_symlinkat,
    __NR_truncate,
#if defined(__x86_64__)
    __NR_open, __NR_creat, __NR_mkdir, __NR_rmdir, __NR_unlink, __NR_rename, __NR_link, __NR_symlink,
#endif
};

/// Calls whose first argument must be 0 or this process, so that they affect no other process.
static const unsigned short linux_sandbox_own[] = {
    __NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_prlimit64,
};

/// Calls whose first argument must be 0 or a thread that was started after this process.
///
/// A filter cannot know the threads of its process, so it compares thread IDs. JACK and the host
/// are older, so their IDs are smaller, unless the IDs have wrapped around, and a plugin cannot
/// change their priorities.
static const unsigned short linux_sandbox_younger[] = {
    __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr, __NR_sched_setaffinity,
};

/// Socket calls, for children that use the network.
static const unsigned short linux_sandbox_network[] = {
    __NR_connect, __NR_getsockopt, __NR_setsockopt, __NR_getsockname, __NR_getpeername, __NR_sendto, __NR_recvfrom,
    __NR_sendmsg, __NR_recvmsg, __NR_sendmmsg, __NR_recvmmsg, __NR_shutdown, __NR_bind,
};

/// Calls that fail with ENOSYS and without a report: libraries try them and have a fallback.
static const unsigned short linux_sandbox_unknown[] = {
    // Its flags are in memory, where a filter cannot read them; the C library falls back to
    // `clone`.
    __NR_clone3, __NR_io_uring_setup, __NR_openat2, __NR_userfaultfd, __NR_pidfd_open, __NR_name_to_handle_at,
    __NR_mbind, __NR_set_mempolicy, __NR_get_mempolicy, __NR_migrate_pages, __NR_move_pages, __NR_pkey_alloc,
    __NR_pkey_free, __NR_pkey_mprotect, __NR_seccomp, __NR_getxattr, __NR_lgetxattr, __NR_fgetxattr, __NR_listxattr,
    __NR_llistxattr, __NR_flistxattr,
};

/// A refused call and its name, for the report.
struct linux_sandbox_call {
    unsigned short number;
    const char *_Nonnull name;
};

static const struct linux_sandbox_call linux_sandbox_names[] = {
    {__NR_socket, "socket"}, {__NR_socketpair, "socketpair"}, {__NR_connect, "connect"}, {__NR_bind, "bind"},
    {__NR_listen, "listen"}, {__NR_accept, "accept"}, {__NR_accept4, "accept4"}, {__NR_sendto, "sendto"},
    {__NR_recvfrom, "recvfrom"}, {__NR_sendmsg, "sendmsg"}, {__NR_recvmsg, "recvmsg"}, {__NR_execve, "execve"},
    {__NR_execveat, "execveat"}, {__NR_clone, "fork"}, {__NR_kill, "kill"}, {__NR_tkill, "tkill"},
    {__NR_tgkill, "tgkill"}, {__NR_rt_sigqueueinfo, "rt_sigqueueinfo"},
    {__NR_rt_tgsigqueueinfo, "rt_tgsigqueueinfo"}, {__NR_ptrace, "ptrace"},
    {__NR_process_vm_readv, "process_vm_readv"}, {__NR_process_vm_writev, "process_vm_writev"}, {__NR_kcmp, "kcmp"},
    {__NR_mount, "mount"}, {__NR_umount2, "umount2"}, {__NR_pivot_root, "pivot_root"}, {__NR_chroot, "chroot"},
    {__NR_unshare, "unshare"}, {__NR_setns, "setns"}, {__NR_bpf, "bpf"}, {__NR_perf_event_open, "perf_event_open"},
    {__NR_keyctl, "keyctl"}, {__NR_add_key, "add_key"}, {__NR_request_key, "request_key"},
    {__NR_init_module, "init_module"}, {__NR_finit_module, "finit_module"}, {__NR_delete_module, "delete_module"},
    {__NR_reboot, "reboot"}, {__NR_kexec_load, "kexec_load"}, {__NR_swapon, "swapon"}, {__NR_swapoff, "swapoff"},
    {__NR_sethostname, "sethostname"}, {__NR_setdomainname, "setdomainname"}, {__NR_settimeofday, "settimeofday"},
    {__NR_clock_settime, "clock_settime"}, {__NR_adjtimex, "adjtimex"}, {__NR_acct, "acct"},
    {__NR_quotactl, "quotactl"}, {__NR_syslog, "syslog"}, {__NR_setuid, "setuid"}, {__NR_setgid, "setgid"},
    {__NR_setreuid, "setreuid"}, {__NR_setregid, "setregid"}, {__NR_setresuid, "setresuid"},
    {__NR_setresgid, "setresgid"}, {__NR_setgroups, "setgroups"}, {__NR_setfsuid, "setfsuid"},
    {__NR_setfsgid, "setfsgid"}, {__NR_capset, "capset"}, {__NR_setpgid, "setpgid"}, {__NR_setsid, "setsid"},
    {__NR_setpriority, "setpriority"}, {__NR_ioprio_set, "ioprio_set"}, {__NR_prlimit64, "prlimit64"},
    {__NR_sched_setscheduler, "sched_setscheduler"}, {__NR_sched_setparam, "sched_setparam"},
    {__NR_sched_setattr, "sched_setattr"}, {__NR_sched_setaffinity, "sched_setaffinity"},
    {__NR_mknodat, "mknodat"}, {__NR_fchown, "fchown"}, {__NR_fchownat, "fchownat"}, {__NR_setxattr, "setxattr"},
    {__NR_lsetxattr, "lsetxattr"}, {__NR_fsetxattr, "fsetxattr"}, {__NR_shmget, "shmget"}, {__NR_shmat, "shmat"},
    {__NR_msgget, "msgget"}, {__NR_semget, "semget"}, {__NR_mq_open, "mq_open"}, {__NR_personality, "personality"},
    {__NR_prctl, "prctl"}, {__NR_ioctl, "ioctl"}, {__NR_rt_sigaction, "rt_sigaction"},
    {__NR_fanotify_init, "fanotify_init"}, {__NR_open_by_handle_at, "open_by_handle_at"}, {__NR_splice, "splice"},
    {__NR_vmsplice, "vmsplice"}, {__NR_tee, "tee"}, {__NR_signalfd4, "signalfd4"}, {__NR_sync, "sync"},
    {__NR_io_setup, "io_setup"}, {__NR_vhangup, "vhangup"},
#if defined(__x86_64__)
    {__NR_fork, "fork"}, {__NR_vfork, "vfork"}, {__NR_mknod, "mknod"}, {__NR_chown, "chown"},
    {__NR_lchown, "lchown"}, {__NR_iopl, "iopl"}, {__NR_ioperm, "ioperm"}, {__NR_modify_ldt, "modify_ldt"},
    {__NR_signalfd, "signalfd"}, {__NR_setrlimit, "setrlimit"},
#endif
};

#endif
