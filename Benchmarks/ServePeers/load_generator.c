// Asks a server as fast as it answers, each connection with a fixed number of requests in flight. Requests are encoded
// beforehand and answers have one size, so that next to nothing is done besides the system calls.

#include "peers.h"
#include "sockets.h"
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { deepest = 64, buffer_bytes = 1 << 18, events_at_once = 256, buckets = 1 << 20 };

struct connection {
    int descriptor;
    uint32_t next_stream;
    uint32_t awaited_stream;
    /// Of the answer that has begun to arrive.
    size_t arrived;
    /// When the request was sent that is answered next, and those behind it.
    uint64_t sent_at[deepest];
    unsigned first;
};

/// Latencies in tenths of a microsecond; the last one holds all above 104 ms.
static uint32_t histogram[buckets];
static uint8_t input[buffer_bytes];
static uint8_t output[deepest * 4096];

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int connect_to(uint16_t port) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return -1;
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return descriptor;
}

static uint32_t next_number;

/// Writes the next number into a request.
static void number(const struct load *load, uint8_t *request) {
    uint32_t value = next_number++;
    uint8_t *place = request + load->number_offset;
    if (load->numbering == numbering_digits)
        for (int digit = 7; digit >= 0; digit--, value /= 10) place[digit] = '0' + value % 10;
    if (load->numbering == numbering_varint)
        for (int byte = 0; byte < 4; byte++, value >>= 7) place[byte] = (value & 0x7f) | (byte < 3 ? 0x80 : 0);
}

/// Sends `count` requests in one write.
static int ask(const struct load *load, struct connection *connection, unsigned count, uint64_t now) {
    for (unsigned index = 0; index < count; index++) {
        uint8_t *request = output + index * load->request_bytes;
        memcpy(request, load->request, load->request_bytes);
        if (load->numbering != numbering_none) number(load, request);
        if (load->is_framed) {
            uint32_t stream = htonl(connection->next_stream);
            memcpy(request + 3, &stream, 4);
            connection->next_stream = (connection->next_stream + 2) & 0x7fffffff;
        }
        connection->sent_at[(connection->first + (unsigned)load->in_flight - count + index) % deepest] = now;
    }
    size_t bytes = count * load->request_bytes;
    return send(connection->descriptor, output, bytes, MSG_NOSIGNAL) == (ssize_t)bytes ? 0 : -1;
}

/// Notes the answers that have come whole; returns how many, or -1 for one that was not awaited.
static int take(const struct load *load, struct connection *connection, size_t count, uint64_t now) {
    int whole = 0;
    size_t offset = 0;
    while (offset < count) {
        if (load->is_framed && connection->arrived == 0 && count - offset >= 7) {
            uint32_t stream;
            memcpy(&stream, input + offset + 3, 4);
            if (ntohl(stream) != connection->awaited_stream) return -1;
        }
        size_t missing = load->answer_bytes - connection->arrived, there = count - offset;
        size_t part = missing < there ? missing : there;
        connection->arrived += part;
        offset += part;
        if (connection->arrived < load->answer_bytes) break;
        connection->arrived = 0;
        connection->awaited_stream = (connection->awaited_stream + 2) & 0x7fffffff;
        uint64_t tenths = (now - connection->sent_at[connection->first % deepest]) / 100;
        histogram[tenths < buckets ? tenths : buckets - 1]++;
        connection->first++;
        whole++;
    }
    return whole;
}

static double percentile(double share, uint64_t total) {
    uint64_t seen = 0, wanted = (uint64_t)((double)total * share);
    for (int bucket = 0; bucket < buckets; bucket++)
        if ((seen += histogram[bucket]) > wanted) return bucket / 10.0;
    return buckets / 10.0;
}

/// Asks and reads until `end`; returns the number of answers, or -1.
static int64_t run_until(const struct load *load, int poller, uint64_t end) {
    int64_t total = 0;
    struct epoll_event events[events_at_once];
    for (uint64_t now = nanoseconds(); now < end; now = nanoseconds()) {
        int count = epoll_wait(poller, events, events_at_once, 1000);
        for (int index = 0; index < count; index++) {
            struct connection *connection = events[index].data.ptr;
            ssize_t got = recv(connection->descriptor, input, buffer_bytes, 0);
            if (got <= 0) return -1;
            now = nanoseconds();
            int whole = take(load, connection, (size_t)got, now);
            if (whole < 0 || (whole > 0 && ask(load, connection, (unsigned)whole, now) < 0)) return -1;
            total += whole;
        }
    }
    return total;
}

int load_run(const struct load *load, struct load_result *result) {
    if (load->in_flight > deepest || load->request_bytes > 4096) return -1;
    struct rlimit descriptors = {.rlim_cur = 20000, .rlim_max = 20000};
    setrlimit(RLIMIT_NOFILE, &descriptors);
    next_number = load->first_number;
    int poller = epoll_create1(0);
    struct connection *all = calloc((size_t)load->connections, sizeof *all);
    for (int index = 0; index < load->connections; index++) {
        struct connection *connection = &all[index];
        *connection = (struct connection){.descriptor = connect_to(load->port), .next_stream = 1, .awaited_stream = 1};
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        ssize_t greeted = 0;
        if (load->greeting_bytes > 0)
            greeted = send(connection->descriptor, load->greeting, load->greeting_bytes, MSG_NOSIGNAL);
        if (connection->descriptor < 0 || greeted != (ssize_t)load->greeting_bytes) return -1;
        epoll_ctl(poller, EPOLL_CTL_ADD, connection->descriptor, &event);
        if (load->in_flight > 0 && ask(load, connection, (unsigned)load->in_flight, nanoseconds()) < 0) return -1;
    }
    uint64_t begin = nanoseconds();
    int64_t warm_up = run_until(load, poller, begin + (uint64_t)(load->warm_up_seconds * 1e9));
    if (warm_up < 0) return -1;
    memset(histogram, 0, sizeof histogram);
    double cpu = cpu_seconds();
    begin = nanoseconds();
    int64_t answers = run_until(load, poller, begin + (uint64_t)(load->seconds * 1e9));
    if (answers < 0) return -1;
    *result = (struct load_result){
        .answers = (uint64_t)answers,
        .all_answers = (uint64_t)(warm_up + answers),
        .seconds = (double)(nanoseconds() - begin) / 1e9,
        .p50_microseconds = percentile(0.5, (uint64_t)answers),
        .p99_microseconds = percentile(0.99, (uint64_t)answers),
        .p999_microseconds = percentile(0.999, (uint64_t)answers),
        .cpu_seconds = cpu_seconds() - cpu,
    };
    for (int index = 0; index < load->connections; index++) close(all[index].descriptor);
    free(all);
    close(poller);
    return 0;
}

int connections_hold(const struct load *load, int *descriptors) {
    struct rlimit allowed = {.rlim_cur = 20000, .rlim_max = 20000};
    setrlimit(RLIMIT_NOFILE, &allowed);
    struct load one_at_a_time = *load;
    one_at_a_time.in_flight = 1;
    for (int index = 0; index < load->connections; index++) {
        struct connection connection = {.descriptor = connect_to(load->port), .next_stream = 1};
        descriptors[index] = connection.descriptor;
        if (connection.descriptor < 0) return -1;
        if (send(connection.descriptor, load->greeting, load->greeting_bytes, MSG_NOSIGNAL) < 0) return -1;
        if (ask(&one_at_a_time, &connection, 1, 0) < 0) return -1;
        if (recv(connection.descriptor, input, load->answer_bytes, MSG_WAITALL) != (ssize_t)load->answer_bytes)
            return -1;
    }
    return 0;
}

void connections_close(const int *descriptors, int count) {
    for (int index = 0; index < count; index++) close(descriptors[index]);
}
