// Requests that stand in the sockets before their server may run: while it answers them, nobody else needs a core. So a
// server with as many loops as the machine has cores can be measured on that machine.

#include "peers.h"
#include "sockets.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_connections = 2048, socket_bytes = 1 << 20, patience_nanoseconds = 2000000000 };

static const struct timespec pause_between_looks = {.tv_nsec = 200000};

struct bursts {
    int descriptors[most_connections];
    /// Of the next request, on every connection.
    uint32_t next_stream;
    uint8_t *requests;
    uint8_t *answers;
};

/// Whether the kernel has stopped the process (proc(5), field 3 of `stat`).
static int is_stopped(int process) {
    char path[32], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%*d %*s %c", &state) != 1) state = 0;
    fclose(file);
    return state == 'T';
}

static int stop(int process) {
    uint64_t end = nanoseconds() + patience_nanoseconds;
    if (kill(process, SIGSTOP) < 0) return -1;
    while (!is_stopped(process)) {
        if (nanoseconds() > end) return -1;
        nanosleep(&pause_between_looks, NULL);
    }
    return 0;
}

static void write_requests(const struct load *load, struct bursts *all) {
    for (int index = 0; index < load->in_flight; index++) {
        uint8_t *request = all->requests + (size_t)index * load->request_bytes;
        uint32_t stream = htonl(all->next_stream + 2 * (uint32_t)index);
        memcpy(request, load->request, load->request_bytes);
        memcpy(request + 3, &stream, sizeof stream);
    }
}

static int queue_requests(const struct load *load, struct bursts *all) {
    size_t bytes = (size_t)load->in_flight * load->request_bytes;
    for (int index = 0; index < load->connections; index++) {
        ssize_t sent = send(all->descriptors[index], all->requests, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent != (ssize_t)bytes) return -1;
    }
    return 0;
}

/// Looks now and then whether every answer is there, without reading one.
static int wait_for_answers(const struct load *load, struct bursts *all) {
    int wanted = load->in_flight * (int)load->answer_bytes, there = 0;
    uint64_t end = nanoseconds() + patience_nanoseconds;
    for (int index = 0; index < load->connections;) {
        if (ioctl(all->descriptors[index], FIONREAD, &there) < 0 || nanoseconds() > end) return -1;
        if (there >= wanted) index++;
        else nanosleep(&pause_between_looks, NULL);
    }
    return 0;
}

/// Reads them all and checks whom they answer.
static int check_answers(const struct load *load, struct bursts *all) {
    size_t bytes = (size_t)load->in_flight * load->answer_bytes;
    for (int index = 0; index < load->connections; index++) {
        if (recv(all->descriptors[index], all->answers, bytes, MSG_WAITALL) != (ssize_t)bytes) return -1;
        for (int answer = 0; answer < load->in_flight; answer++) {
            uint32_t stream;
            memcpy(&stream, all->answers + (size_t)answer * load->answer_bytes + 3, sizeof stream);
            if (ntohl(stream) != all->next_stream + 2 * (uint32_t)answer) return -1;
        }
    }
    return 0;
}

/// - Returns: the seconds that it took, or a number below 0.
static double one_burst(const struct load *load, int process, struct bursts *all) {
    write_requests(load, all);
    int queued = stop(process) == 0 && queue_requests(load, all) == 0;
    uint64_t begin = nanoseconds();
    kill(process, SIGCONT);
    if (!queued || wait_for_answers(load, all) < 0) return -1;
    double seconds = (double)(nanoseconds() - begin) / 1e9;
    if (check_answers(load, all) < 0) return -1;
    all->next_stream += 2 * (uint32_t)load->in_flight;
    return seconds;
}

int bursts_run(const struct load *load, int process, int count, double *seconds) {
    if (load->connections > most_connections || !load->is_framed) return -1;
    struct bursts *all = calloc(1, sizeof *all);
    memset(all->descriptors, 0xff, sizeof all->descriptors);
    int code = connections_hold(load, all->descriptors);
    for (int index = 0; index < load->connections; index++) {
        int size = socket_bytes;
        setsockopt(all->descriptors[index], SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
        setsockopt(all->descriptors[index], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
    all->next_stream = 3;
    all->requests = malloc((size_t)load->in_flight * load->request_bytes);
    all->answers = malloc((size_t)load->in_flight * load->answer_bytes);
    for (int burst = 0; code == 0 && burst < count; burst++) {
        seconds[burst] = one_burst(load, process, all);
        if (seconds[burst] < 0) code = -1;
    }
    connections_close(all->descriptors, load->connections);
    free(all->requests);
    free(all->answers);
    free(all);
    return code;
}
