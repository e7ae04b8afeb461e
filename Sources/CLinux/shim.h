/* What `import Glibc` leaves out of the kernel's interface. Headers only: no C code of ours. */
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/un.h>
