// The two programs that `Benchmarks serve` needs besides the server: what it is compared with, and what asks it.
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>
#include <stdint.h>

/// Serves frames on `loops` threads (at most 64) with nothing but epoll, recv and send, until standard input ends.
///
/// Every frame but the first of a connection is answered with `answer`, the frame's stream id written into it.
/// Says `ready PORT` on standard output. Returns an exit code.
int bare_server_run(const uint8_t *answer, size_t answer_bytes, int loops);

/// How the number of a request stands in it, so that no two requests are alike.
enum numbering {
    numbering_none,
    /// Eight decimal digits.
    numbering_digits,
    /// Four bytes, as protobuf writes numbers from 2^21 to 2^28 - 1.
    numbering_varint,
};

/// What a load generator asks, and how.
struct load {
    /// On the loopback interface.
    uint16_t port;
    int connections;
    int in_flight;
    double warm_up_seconds;
    double seconds;
    /// Sent once on each connection.
    const uint8_t *greeting;
    size_t greeting_bytes;
    /// One request; the stream id is written over its bytes 3 to 6 unless `is_framed` is 0.
    const uint8_t *request;
    size_t request_bytes;
    enum numbering numbering;
    /// Where the number stands in the request.
    size_t number_offset;
    /// Of the first request; each has the one after it.
    uint32_t first_number;
    /// Every answer has this size; with `is_framed` its stream id is checked.
    size_t answer_bytes;
    int is_framed;
};

struct load_result {
    uint64_t answers;
    /// Those of the warm-up, too.
    uint64_t all_answers;
    double seconds;
    /// Of the time from a request's write to the read that brought its answer.
    double p50_microseconds;
    double p99_microseconds;
    double p999_microseconds;
    double cpu_seconds;
};

/// Asks without pause on every connection, `in_flight` requests at a time, on one thread.
/// Returns 0, or -1 when a connection broke or an answer was not the one asked for.
int load_run(const struct load *load, struct load_result *result);

/// Opens `load->connections` connections, each with one request answered, and leaves them open.
/// Returns 0, or -1 when one could not be opened or was not answered.
int connections_hold(const struct load *load, int *descriptors);

/// Closes connections that were held.
void connections_close(const int *descriptors, int count);

/// Stops the server, sends `load->in_flight` requests on each of `load->connections` connections, lets the server go on and
/// waits until every answer has arrived, `count` times; `load->in_flight` answers must fit into a connection's buffer.
///
/// `seconds` has room for `count` numbers: how long the answers took. Returns 0, or -1 when one of them did not come within
/// two seconds or was not the one asked for.
int bursts_run(const struct load *load, int process, int count, double *seconds);

#endif
