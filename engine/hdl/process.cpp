#include "engine/hdl/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace marquetry::hdl {

namespace {

constexpr int kPollMilliseconds = 50;

/// posix_spawn in its own process group, its output into `pipe`; an errno value or 0.
int spawn(const ProcessParams& params, const std::array<int, 2>& pipe, pid_t& child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!params.folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, params.folder.c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 1);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    for (const std::string& argument : params.arguments)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const int error =
        posix_spawnp(&child, arguments.front(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/// Reads until the pipe closes; false when asked to stop first.
bool readAll(int fd, std::string& output, const std::stop_token& stop) {
    std::array<char, 65536> buffer;
    while (true) {
        if (stop.stop_requested())
            return false;
        pollfd waiting{fd, POLLIN, 0};
        if (poll(&waiting, 1, kPollMilliseconds) <= 0)
            continue;
        const ssize_t n = read(fd, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        output.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

} // namespace

Result<ProcessResult> runProcess(const ProcessParams& params, std::stop_token stop) {
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0)
        return makeError("process-start", std::string("cannot make a pipe: ") + strerror(errno));
    pid_t child = 0;
    const int error = spawn(params, pipe, child);
    close(pipe[1]);
    if (error != 0) {
        close(pipe[0]);
        return makeError("process-start",
                         "cannot start " + params.arguments.front() + ": " + strerror(error),
                         "install " + params.arguments.front() + " or put it in PATH");
    }
    ProcessResult result;
    const bool finished = readAll(pipe[0], result.output, stop);
    if (!finished)
        kill(-child, SIGKILL);
    close(pipe[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!finished)
        return makeError("cancelled", params.arguments.front() + " was stopped");
    result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

} // namespace marquetry::hdl
