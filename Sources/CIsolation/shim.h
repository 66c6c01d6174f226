#pragma once

/* System calls that Swift cannot make: variadic functions, macros for control messages, and numbers that are macros. */

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The C library declares these functions only for programs that define _GNU_SOURCE. */
extern long syscall(long number, ...);
extern int unshare(int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

/* Processes. */

/* The caller must be a process with one thread. */
static inline pid_t tw_fork(void) { return fork(); }

static inline int tw_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

static inline int tw_pidfd_kill(int descriptor) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, NULL, 0);
}

/* Waits for the end of a child. The result is 0, or -1 if the child's end has been collected by somebody else. */
static inline int tw_pidfd_wait(int descriptor) {
    siginfo_t information;
    int result;
    do {
        result = waitid((idtype_t)3 /* P_PIDFD */, (id_t)descriptor, &information, WEXITED);
    } while (result < 0 && errno == EINTR);
    return result;
}

/* Collects the end of a child that has ended: the number of the signal that ended it, 0 if it ended by itself. */
static inline int tw_collect(pid_t process) {
    int status = 0;
    pid_t result;
    do {
        result = waitpid(process, &status, 0);
    } while (result < 0 && errno == EINTR);
    return result == process && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static inline int tw_close_from(int first) { return (int)syscall(SYS_close_range, first, ~0U, 0); }

/* Messages with descriptors. */

static inline ssize_t tw_send(int socket, const void *bytes, size_t count, int descriptor, int flags) {
    struct iovec part = {(void *)bytes, count};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    memset(&control, 0, sizeof control);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t result;
    do {
        result = sendmsg(socket, &message, MSG_NOSIGNAL | flags);
    } while (result < 0 && errno == EINTR);
    return result;
}

/* Receives one message and at most one descriptor, which is -1 if none came. Descriptors beyond the first are closed.
   A message that does not fit into the buffer, or carries more than it should, fails with EMSGSIZE. */
static inline ssize_t tw_receive(int socket, void *bytes, size_t count, int *descriptor, int flags) {
    struct iovec part = {bytes, count};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(4 * sizeof(int))];
    } control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    *descriptor = -1;
    ssize_t result;
    do {
        result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | flags);
    } while (result < 0 && errno == EINTR);
    if (result < 0) return result;
    int excess = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t received = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < received; index++) {
            int own;
            memcpy(&own, CMSG_DATA(header) + index * sizeof(int), sizeof own);
            if (*descriptor < 0) {
                *descriptor = own;
            } else {
                close(own);
                excess = 1;
            }
        }
    }
    if (excess) {
        if (*descriptor >= 0) close(*descriptor);
        *descriptor = -1;
        errno = EMSGSIZE;
        return -1;
    }
    return result;
}

/* Shared memory. */

enum {
    tw_seal_seal = 1, tw_seal_shrink = 2, tw_seal_grow = 4, tw_seal_write = 8,
    tw_seal_all = tw_seal_seal | tw_seal_shrink | tw_seal_grow | tw_seal_write,
};

static inline int tw_memfd(void) {
    /* Not executable where the kernel knows this flag; close on exec; may be sealed. */
    int descriptor = (int)syscall(SYS_memfd_create, "thumbwheel", 8 | 1 | 2);
    return descriptor >= 0 ? descriptor : (int)syscall(SYS_memfd_create, "thumbwheel", 1 | 2);
}

/* 1033 and 1034 are F_ADD_SEALS and F_GET_SEALS. */
static inline int tw_add_seals(int descriptor) { return fcntl(descriptor, 1033, tw_seal_all); }
/* Neither side can change the size, and both can write. */
static inline int tw_seal_size(int descriptor) {
    return fcntl(descriptor, 1033, tw_seal_seal | tw_seal_shrink | tw_seal_grow);
}
static inline int tw_get_seals(int descriptor) { return fcntl(descriptor, 1034); }

/* Scheduling. */

/* Asks the scheduler for slices of processor time of a length, at most 100 ms, or for those of the system if it is 0. The
   share stays the same. Kernels before 6.12 do not let a program choose, and ignore it. */
static inline int tw_set_slice(uint64_t nanoseconds) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes;
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return -1;
    attributes.runtime = nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

/* Giving up rights. */

static inline int tw_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int tw_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
static inline int tw_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

static inline int tw_new_namespaces(void) {
    return unshare(0x10000000 /* user */ | 0x40000000 /* network */ | 0x08000000 /* IPC */ | 0x04000000 /* names */);
}

static inline int tw_drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    return (int)syscall(SYS_capset, &header, data);
}

static inline int tw_limit(int resource, uint64_t most) {
    struct rlimit limit = {most, most};
    return setrlimit((__rlimit_resource_t)resource, &limit);
}

static inline int tw_limit_memory(uint64_t most) { return tw_limit(RLIMIT_AS, most); }
static inline int tw_limit_seconds(uint64_t most) { return tw_limit(RLIMIT_CPU, most); }
static inline int tw_limit_files(uint64_t most) { return tw_limit(RLIMIT_NOFILE, most); }
static inline int tw_limit_output(uint64_t most) { return tw_limit(RLIMIT_FSIZE, most); }
static inline int tw_limit_core(void) { return tw_limit(RLIMIT_CORE, 0); }

static inline int tw_install_filter(const struct sock_filter *program, unsigned short count) {
    struct sock_fprog filter = {count, (struct sock_filter *)program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

/* System calls that the filter lets through whatever their arguments; -1 after the last. */
static inline int tw_permitted_call(int index) {
    static const int calls[] = {
        SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_recvmsg, SYS_sendmsg,
        SYS_ppoll, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_set_robust_list, SYS_rseq,
        SYS_sched_yield, SYS_sched_getaffinity, SYS_getpid, SYS_gettid, SYS_clock_gettime, SYS_clock_getres,
        SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_exit, SYS_exit_group, SYS_rt_sigreturn,
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_memfd_create, SYS_ftruncate, SYS_getrandom,
        SYS_sysinfo, SYS_uname, SYS_membarrier, SYS_restart_syscall, SYS_getrusage, SYS_getuid, SYS_geteuid,
        SYS_getgid, SYS_getegid, SYS_getcpu,
#ifdef SYS_poll
        SYS_poll,
#endif
#ifdef SYS_time
        SYS_time,
#endif
    };
    return index < (int)(sizeof calls / sizeof *calls) ? calls[index] : -1;
}

/* System calls whose use ends the process; -1 after the last. */
static inline int tw_fatal_call(int index) {
    static const int calls[] = {
        SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto,
        SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill,
        SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd, SYS_bpf,
        SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_mount, SYS_umount2,
        SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_io_uring_setup, SYS_io_uring_enter,
        SYS_io_uring_register, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
        SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_personality, SYS_setuid, SYS_setgid, SYS_setreuid,
        SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_capset, SYS_seccomp,
#ifdef SYS_fork
        SYS_fork, SYS_vfork,
#endif
    };
    return index < (int)(sizeof calls / sizeof *calls) ? calls[index] : -1;
}

/* System calls that the filter judges by an argument. */
enum {
    tw_call_mmap = SYS_mmap, tw_call_mprotect = SYS_mprotect, tw_call_clone = SYS_clone, tw_call_clone3 = SYS_clone3,
    tw_call_prctl = SYS_prctl, tw_call_tgkill = SYS_tgkill, tw_call_prlimit = SYS_prlimit64, tw_call_fcntl = SYS_fcntl,
};

/* The calls that tests refuse to a whole host. */
enum { tw_call_unshare = SYS_unshare, tw_call_pidfd_open = SYS_pidfd_open };

#if defined(__x86_64__)
enum { tw_architecture = (int)AUDIT_ARCH_X86_64, tw_first_foreign_call = 0x40000000 };
#elif defined(__aarch64__)
enum { tw_architecture = (int)AUDIT_ARCH_AARCH64, tw_first_foreign_call = 0x7fffffff };
#endif

static inline struct sock_filter tw_load(uint32_t offset) {
    struct sock_filter step = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
    return step;
}

static inline struct sock_filter tw_if_equal(uint32_t value, uint8_t then, uint8_t otherwise) {
    struct sock_filter step = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise);
    return step;
}

static inline struct sock_filter tw_if_at_least(uint32_t value, uint8_t then, uint8_t otherwise) {
    struct sock_filter step = BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, then, otherwise);
    return step;
}

static inline struct sock_filter tw_if_any_bit(uint32_t value, uint8_t then, uint8_t otherwise) {
    struct sock_filter step = BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, value, then, otherwise);
    return step;
}

static inline struct sock_filter tw_return(uint32_t value) {
    struct sock_filter step = BPF_STMT(BPF_RET | BPF_K, value);
    return step;
}

enum {
    tw_allow = (int)SECCOMP_RET_ALLOW, tw_end_process = (int)SECCOMP_RET_KILL_PROCESS,
    tw_refuse = (int)(SECCOMP_RET_ERRNO | EPERM), tw_unknown = (int)(SECCOMP_RET_ERRNO | ENOSYS),
};
#endif
