#pragma once
#include <microhttpd.h>

/* The callbacks of a server. */
struct tw_mhd_callbacks {
    void *context;
    /* A request's head is complete, a piece of its body has come, or its connection has been resumed. */
    enum MHD_Result (*handle)(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request);
    /* A request's first line has come; returns what is to be known of the request from then on. */
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    /* A request is over, on whatever path. */
    void (*complete)(void *context, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode code);
    /* A connection has come, or goes; its descriptor is still open. */
    void (*connect)(void *context, struct MHD_Connection *connection, void **peer,
                    enum MHD_ConnectionNotificationCode code);
};

struct tw_mhd_limits {
    unsigned int threads;
    unsigned int connections;
    /* 0 for any number. */
    unsigned int connections_per_address;
    unsigned int idle_seconds;
    size_t connection_memory;
};

/* MHD_start_daemon is variadic, which Swift cannot call. */
static inline struct MHD_Daemon *tw_mhd_start(
    const struct sockaddr *address, int is_ipv6, struct tw_mhd_limits limits, struct tw_mhd_callbacks callbacks) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO;
    if (is_ipv6) flags |= MHD_USE_DUAL_STACK;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, callbacks.handle, callbacks.context,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks.begin, callbacks.context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks.complete, callbacks.context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks.connect, callbacks.context,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory,
        MHD_OPTION_THREAD_POOL_SIZE, limits.threads,
        MHD_OPTION_END);
}

/* MHD_get_connection_info and MHD_get_daemon_info are variadic, too. */
static inline int tw_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline void *tw_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline int tw_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/* The bytes must stay where they are until `release` is called. */
static inline struct MHD_Response *tw_mhd_buffer(
    const void *bytes, size_t count, void (*release)(void *), void *context) {
    return MHD_create_response_from_buffer_with_free_callback_cls(count, (void *)bytes, release, context);
}

static inline struct MHD_Response *tw_mhd_empty(void) {
    return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}

/* Of unknown length if `count` is negative. Takes at most `piece` bytes at once, for which it has a buffer. */
static inline struct MHD_Response *tw_mhd_reader(
    long long count, size_t piece, ssize_t (*read)(void *, uint64_t, char *, size_t), void *context, void (*release)(void *)) {
    return MHD_create_response_from_callback(
        count < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)count, piece, read, context, release);
}

static inline void tw_mhd_fields(
    struct MHD_Connection *connection, enum MHD_Result (*each)(void *, enum MHD_ValueKind, const char *, const char *),
    void *context) {
    MHD_get_connection_values(connection, MHD_HEADER_KIND, each, context);
}

static inline int tw_mhd_is_complete(enum MHD_RequestTerminationCode code) {
    return code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}

static inline int tw_mhd_is_start(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

static inline enum MHD_Result tw_mhd_yes(void) { return MHD_YES; }
static inline enum MHD_Result tw_mhd_no(void) { return MHD_NO; }
static inline ssize_t tw_mhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t tw_mhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

/* epoll and eventfd, whose headers Swift's module of the C library leaves out. */
#include <errno.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static inline int tw_poll_make(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int tw_wake_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void tw_wake(int wake) { eventfd_write(wake, 1); }

/* Watches for bytes to read. */
static inline int tw_poll_add_wake(int poll, int wake) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 0};
    return epoll_ctl(poll, EPOLL_CTL_ADD, wake, &event);
}

/* Watches, once, for the other side to close the connection or its half of it. */
static inline int tw_poll_add_leaving(int poll, int descriptor, uint64_t number) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.u64 = number};
    return epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int tw_poll_remove(int poll, int descriptor) {
    struct epoll_event event = {0};
    return epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, &event);
}

/* Waits for events, at most 64, and writes their numbers. */
static inline int tw_poll_wait(int poll, uint64_t *numbers, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(poll, events, 64, milliseconds);
    for (int index = 0; index < count; index++) numbers[index] = events[index].data.u64;
    return count < 0 ? 0 : count;
}

/* The bytes that the other side of a TCP connection has acknowledged; -1 if the system does not tell. The field is the 64-bit
   number at byte 120 of Linux's tcp_info, which the C library's structure of that name does not have. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static inline long tw_acknowledged(int descriptor) {
    unsigned char info[232];
    socklen_t count = sizeof info;
    uint64_t acknowledged;
    if (getsockopt(descriptor, IPPROTO_TCP, 11, info, &count) != 0 || count < 128) return -1;
    memcpy(&acknowledged, info + 120, sizeof acknowledged);
    return (long)acknowledged;
}

/* Whether the other side has closed the connection or its half of it, as far as all that it sent has been read. */
static inline int tw_has_left(int descriptor) {
    char next;
    ssize_t count = recv(descriptor, &next, 1, MSG_PEEK | MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}
