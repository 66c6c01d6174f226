#pragma once
#include <curl/curl.h>

/* Bytes of an answer; returns how many were taken, and ends the transfer if these are fewer than came. */
typedef size_t (*tw_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

/* curl_easy_setopt and curl_multi_setopt are variadic, which Swift cannot call. */

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
#if LIBCURL_VERSION_NUM >= 0x075700
    /* A request that is cancelled while its host's name is looked up must not wait for the end of the look-up. */
    SET(CURLOPT_QUICK_EXIT, 1L);
#endif
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
    SET(CURLOPT_BUFFERSIZE, 64L << 10);
    /* Decodes answers that are compressed although they were asked not to be. */
    SET(CURLOPT_ACCEPT_ENCODING, "");
    SET(CURLOPT_HEADERFUNCTION, head_line);
    SET(CURLOPT_HEADERDATA, context);
    SET(CURLOPT_WRITEFUNCTION, body);
    SET(CURLOPT_WRITEDATA, context);
#undef SET
    return status;
}

/* The list of fields must live until the request has ended. */
static inline CURLcode tw_curl_address(CURL *handle, const char *address, struct curl_slist *fields) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_URL, address);
    return status == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields) : status;
}

static inline CURLMcode tw_curl_limit_connections(CURLM *multi, long per_host) {
    return curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
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
