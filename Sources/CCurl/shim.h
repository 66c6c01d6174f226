#pragma once
#include <curl/curl.h>

/* Bytes of an answer; returns how many were taken, and ends the transfer if these are fewer than came. */
typedef size_t (*tw_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

/* curl_easy_setopt and curl_multi_setopt are variadic, which Swift cannot call. */

#include <fcntl.h>
#include <sys/socket.h>

/* Makes sockets that no program inherits which the process starts. */
static inline curl_socket_t tw_curl_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context, (void)purpose;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

/* Sets up a handle for any number of GET requests over HTTP(S). Redirections are not followed: they are answers. */
static inline CURLcode tw_curl_prepare(
    CURL *handle, tw_curl_bytes head_line, tw_curl_bytes body, void *context, long connect_milliseconds) {
    CURLcode status = CURLE_OK;
#define SET(option, value) \
    if (status == CURLE_OK) status = curl_easy_setopt(handle, option, value)
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    SET(CURLOPT_USERAGENT, "thumbwheel");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
    SET(CURLOPT_BUFFERSIZE, 64L << 10);
    SET(CURLOPT_OPENSOCKETFUNCTION, tw_curl_socket);
    /* Decodes answers that are compressed although they were asked not to be. */
    SET(CURLOPT_ACCEPT_ENCODING, "");
    SET(CURLOPT_HEADERFUNCTION, head_line);
    SET(CURLOPT_HEADERDATA, context);
    SET(CURLOPT_WRITEFUNCTION, body);
    SET(CURLOPT_WRITEDATA, context);
#undef SET
#if LIBCURL_VERSION_NUM >= 0x075700
    /* A request that is cancelled while its host's name is looked up must not wait for the end of the look-up. Older
       libraries do not know the option, and wait. */
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
    return status;
}

/* The list of fields must live until the request has ended. */
static inline CURLcode tw_curl_address(CURL *handle, const char *address, struct curl_slist *fields) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_URL, address);
    return status == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields) : status;
}

/* Bounds the connections that are kept for later requests. */
static inline CURLMcode tw_curl_limit_connections(CURLM *multi, long count) {
    return curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
}

/* The next request that has ended, and how; NULL if none has. */
static inline CURL *tw_curl_next_end(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
