/* What `import Glibc` leaves out of the kernel's interface. Headers only: no C code of ours. */
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>

/* preadv2(2) is there since Linux 4.6 and glibc 2.26; the header shows it to GNU sources only. */
ssize_t preadv2(int descriptor, const struct iovec *parts, int count, off_t offset, int flags);
enum { RWF_NOWAIT_FLAG = 8 };
