#include "app/cli/signals.h"

#include "engine/support/process.h"
#include "engine/support/unfinished.h"

#include <array>
#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace marquetry::cli {

namespace {

constexpr std::array kEnding = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

std::atomic<bool> ending = false;

bool isIgnored(int signal) {
    struct sigaction action = {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[noreturn]] void die(int signal) {
    ending = true;
    endChildren();
    removeUnfinished();
    std::signal(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    raise(signal);
    _exit(128 + signal);
}

} // namespace

void endOnSignals() {
    sigset_t waited;
    sigemptyset(&waited);
    for (const int signal : kEnding)
        if (!isIgnored(signal))
            sigaddset(&waited, signal);
    // Threads inherit the mask: none of them is interrupted, and no library's handler is called.
    pthread_sigmask(SIG_BLOCK, &waited, nullptr);
    std::thread([waited] {
        int signal = 0;
        while (sigwait(&waited, &signal) != 0) {
        }
        die(signal);
    }).detach();
}

void yieldToSignals() {
    while (ending)
        pause();
}

void unblockSignals() {
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : kEnding)
        sigaddset(&all, signal);
    pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
}

} // namespace marquetry::cli
