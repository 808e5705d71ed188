#include "engine/support/process_guard.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace marquetry::process_guard {

namespace {

/// How long processes that cannot be killed (of another user, in the kernel) are waited for.
constexpr std::time_t kPatienceSeconds = 5;
constexpr int kExitUnstarted = 127;

void tell(int status, Event event, int value) {
    const Record record{event, value};
    while (::write(status, &record, sizeof record) < 0 && errno == EINTR) {
    }
}

/// Closes the descriptors from `first` to `last`, both included.
void closeRange(unsigned first, unsigned last) {
    if (first > last || ::close_range(first, last, 0) == 0)
        return;
    rlimit most = {};
    constexpr rlim_t kMost = 1 << 20;
    ::getrlimit(RLIMIT_NOFILE, &most);
    for (rlim_t fd = first; fd <= last && fd < std::min(most.rlim_cur, kMost); ++fd)
        ::close(static_cast<int>(fd));
}

/// What we inherited would keep our locks and the pipes of other children.
void closeAllBut(const Pipes& pipes) {
    std::array<unsigned, 3> kept = {static_cast<unsigned>(pipes.life),
                                    static_cast<unsigned>(pipes.status),
                                    static_cast<unsigned>(pipes.output)};
    std::sort(kept.begin(), kept.end());
    unsigned first = 0;
    for (const unsigned fd : kept) {
        if (fd > first)
            closeRange(first, fd - 1);
        first = fd + 1;
    }
    closeRange(first, ~0U);
}

void nothing(int /*signal*/) {}

void resetSignals() {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal)
        ::sigaction(signal, &action, nullptr);
}

void setLimit(decltype(RLIMIT_AS) resource, rlim_t most) {
    rlimit limit = {};
    if (::getrlimit(resource, &limit) != 0)
        return;
    limit.rlim_max = std::min(limit.rlim_max, most);
    limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

[[noreturn]] void fail(const Pipes& pipes, Event event) {
    tell(pipes.status, event, errno);
    ::_exit(kExitUnstarted);
}

/// Becomes the command.
[[noreturn]] void start(const GuardedCommand& command, const Pipes& pipes) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    setLimit(RLIMIT_CORE, 0);
    if (command.memoryBytes > 0)
        setLimit(RLIMIT_AS, command.memoryBytes);
    if (command.fileBytes > 0)
        setLimit(RLIMIT_FSIZE, command.fileBytes);
    const int empty = ::open("/dev/null", O_RDONLY);
    if (empty < 0 || ::dup2(empty, 0) < 0 || ::dup2(pipes.output, 1) < 0 ||
        ::dup2(pipes.output, 2) < 0)
        fail(pipes, Event::StartFailed);
    if (command.folder != nullptr && ::chdir(command.folder) != 0)
        fail(pipes, Event::FolderFailed);
    sigset_t none;
    sigemptyset(&none);
    resetSignals();
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    int error = ENOENT;
    for (const char* const* place = command.places; *place != nullptr; ++place) {
        ::execve(*place, command.arguments, command.environment);
        if (errno != ENOENT && errno != ENOTDIR)
            error = errno; // a file without permission counts only when nothing better follows
        if (error != ENOENT && error != EACCES)
            break;
    }
    errno = error;
    fail(pipes, Event::StartFailed);
}

/// Waits for a child that ends or, at most for the time given, for nothing. True when `life` has
/// closed.
bool doze(int life, const timespec* most) {
    sigset_t mask;
    sigfillset(&mask);
    sigdelset(&mask, SIGCHLD);
    pollfd waiting{life, POLLIN, 0};
    return ::ppoll(&waiting, life < 0 ? 0 : 1, most, &mask) > 0;
}

/// Returns when the command has ended, which is not reaped, or when everything is to end.
void watch(pid_t command, int life) {
    while (true) {
        siginfo_t ended = {};
        const int error = ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
        if ((error != 0 && errno != EINTR) || ended.si_pid == command)
            return;
        if (ended.si_pid != 0)
            ::waitpid(ended.si_pid, nullptr, 0);
        else if (doze(life, nullptr))
            return;
    }
}

/// The number that a text begins with; 0 when there is none.
pid_t numberIn(const char* text) {
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; ++text)
        number = 10 * number + (*text - '0');
    return number;
}

/// The parent of a process, by /proc/<name>/stat: "pid (name) state parent …"; 0 when it is gone.
pid_t parentOf(int proc, const char* name) {
    std::array<char, 64> path = {};
    std::strncpy(path.data(), name, path.size() / 2);
    std::strcat(path.data(), "/stat");
    const int file = ::openat(proc, path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    std::array<char, 512> text = {};
    const ssize_t n = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    const char* const end = n > 0 ? std::strrchr(text.data(), ')') : nullptr;
    return end != nullptr && std::strlen(end) > 4 ? numberIn(end + 4) : 0;
}

struct KernelEntry { // as the kernel writes it
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
};

/// Kills what is a child of ours: a parent of more is gone then, and its children come to us.
void killChildren() {
    const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0)
        return;
    alignas(KernelEntry) std::array<char, 4096> buffer;
    const pid_t self = ::getpid();
    while (true) {
        const long n = ::syscall(SYS_getdents64, proc, buffer.data(), buffer.size());
        if (n <= 0)
            break;
        for (long at = 0; at < n;) {
            const auto* const entry = reinterpret_cast<const KernelEntry*>(buffer.data() + at);
            const char* const name = buffer.data() + at + offsetof(KernelEntry, name);
            at += entry->length;
            // Nobody but us can end the wait for our child: the number is not another's meanwhile.
            if (numberIn(name) > 0 && parentOf(proc, name) == self)
                ::kill(numberIn(name), SIGKILL);
        }
    }
    ::close(proc);
}

std::time_t now() {
    timespec time = {};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

/// Kills the command's group and all of its descendants, and waits for them; the command's status.
int endAll(pid_t command) {
    int status = SIGKILL;
    ::kill(-command, SIGKILL);
    const std::time_t begin = now();
    while (now() - begin <= kPatienceSeconds) {
        int ended = 0;
        pid_t child = 0;
        while ((child = ::waitpid(-1, &ended, WNOHANG)) > 0)
            if (child == command)
                status = ended;
        if (child < 0 && errno == ECHILD)
            break;
        killChildren();
        constexpr timespec kPause = {0, 2'000'000};
        doze(-1, &kPause);
    }
    return status;
}

} // namespace

void run(const GuardedCommand& command, const Pipes& pipes) {
    // No signal of a terminal or a process group reaches a session of its own.
    ::setsid();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    closeAllBut(pipes);
    resetSignals();
    struct sigaction action = {};
    action.sa_handler = nothing;
    ::sigaction(SIGCHLD, &action, nullptr);
    const pid_t child = ::_Fork();
    if (child == 0)
        start(command, pipes);
    if (child < 0)
        fail(pipes, Event::StartFailed);
    ::setpgid(child, child);
    ::close(pipes.output);
    (void)::chdir("/"); // else the folder could not be unmounted meanwhile
    tell(pipes.status, Event::Started, child);
    watch(child, pipes.life);
    tell(pipes.status, Event::Ended, endAll(child));
    ::_exit(0);
}

} // namespace marquetry::process_guard
