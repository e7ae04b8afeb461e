// A server that does nothing but answer: the yardstick for the real one. Level-triggered epoll, one recv and one send
// for each readable connection, no queue beyond the socket's own. Accepting is left to the thread that waits for the end.

#include "peers.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { buffer_bytes = 1 << 16, events_at_once = 256, most_loops = 64 };

/// What is left of a frame that was cut by the end of a read, and whether the SETUP has come.
struct connection {
    int descriptor;
    int is_set_up;
    size_t kept;
    uint8_t rest[4096];
};

static _Thread_local uint8_t input[buffer_bytes + 4096];
static _Thread_local uint8_t output[1 << 20];

struct loop {
    int poller;
    const uint8_t *answer;
    size_t answer_bytes;
};

static int listen_on_loopback(uint16_t *port) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 4096) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) < 0)
        return -1;
    *port = ntohs(address.sin_port);
    return listener;
}

static void watch(int poller, int descriptor, void *owner) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = owner};
    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

static void accept_one(int poller, int listener) {
    int descriptor = accept(listener, NULL, NULL);
    if (descriptor < 0) return;
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct connection *connection = calloc(1, sizeof *connection);
    connection->descriptor = descriptor;
    watch(poller, descriptor, connection);
}

/// Answers every whole frame of `input`; returns false when the connection is over.
static int serve(struct connection *connection, const uint8_t *answer, size_t answer_bytes) {
    memcpy(input, connection->rest, connection->kept);
    ssize_t count = recv(connection->descriptor, input + connection->kept, buffer_bytes, 0);
    if (count <= 0) return 0;
    size_t end = connection->kept + (size_t)count, start = 0, written = 0;
    while (end - start >= 9) {
        size_t length = (size_t)input[start] << 16 | (size_t)input[start + 1] << 8 | input[start + 2];
        if (end - start - 3 < length) break;
        if (connection->is_set_up && sizeof output - written >= answer_bytes) {
            memcpy(output + written, answer, answer_bytes);
            memcpy(output + written + 3, input + start + 3, 4);
            written += answer_bytes;
        }
        connection->is_set_up = 1;
        start += 3 + length;
    }
    connection->kept = end - start;
    if (connection->kept > sizeof connection->rest) return 0;
    memcpy(connection->rest, input + start, connection->kept);
    return written == 0 || send(connection->descriptor, output, written, MSG_NOSIGNAL) == (ssize_t)written;
}

/// Serves until its process ends.
static void *serve_loop(void *argument) {
    struct loop *loop = argument;
    for (;;) {
        struct epoll_event events[events_at_once];
        int count = epoll_wait(loop->poller, events, events_at_once, -1);
        for (int index = 0; index < count; index++) {
            struct connection *connection = events[index].data.ptr;
            if (serve(connection, loop->answer, loop->answer_bytes)) continue;
            close(connection->descriptor);
            free(connection);
        }
    }
}

int bare_server_run(const uint8_t *answer, size_t answer_bytes, int loops) {
    uint16_t port;
    struct rlimit descriptors = {.rlim_cur = 20000, .rlim_max = 20000};
    setrlimit(RLIMIT_NOFILE, &descriptors);
    int acceptor = epoll_create1(0), listener = listen_on_loopback(&port);
    if (acceptor < 0 || listener < 0 || loops < 1 || loops > most_loops) return 71;
    static struct loop all[most_loops];
    for (int index = 0; index < loops; index++) {
        pthread_t thread;
        all[index] = (struct loop){epoll_create1(0), answer, answer_bytes};
        if (all[index].poller < 0 || pthread_create(&thread, NULL, serve_loop, &all[index])) return 71;
    }
    watch(acceptor, listener, NULL);
    watch(acceptor, STDIN_FILENO, &acceptor);
    printf("ready %u\n", port);
    fflush(stdout);
    for (int next = 0;; next = (next + 1) % loops) {
        struct epoll_event event;
        if (epoll_wait(acceptor, &event, 1, -1) < 1) continue;
        if (event.data.ptr == &acceptor) return 0;
        accept_one(all[next].poller, listener);
    }
}
