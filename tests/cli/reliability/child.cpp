#include "tests/cli/reliability/child.h"

#include "tests/support/patience.h"
#include "tests/support/places.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace marquetry::reliability {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::string& temporary) {
    ::setpgid(0, 0);
    ::setenv("TMPDIR", temporary.c_str(), 1);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2})
        ::dup2(nowhere, fd);
    std::string program = test::program();
    std::vector<char*> argv{program.data()};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

bool isZombie(const fs::path& process) {
    std::ifstream stat(process / "stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    const std::size_t name = text.rfind(')');
    return name == std::string::npos || text.compare(name + 2, 1, "Z") == 0;
}

} // namespace

Child::Child(const std::vector<std::string>& arguments, const std::string& temporary)
    : temporary_(temporary) {
    pid_ = ::fork();
    if (pid_ == 0)
        become(arguments, temporary);
}

Child::~Child() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    for (const pid_t left : family())
        ::kill(left, SIGKILL);
}

void Child::signal(int number) const {
    ::kill(pid_, number);
}

int Child::end() {
    int status = -1;
    if (!test::comes([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; }))
        return -1;
    pid_ = -1;
    return status;
}

std::vector<pid_t> Child::family() const {
    std::vector<pid_t> all;
    std::error_code error;
    for (const auto& process : fs::directory_iterator("/proc", error)) {
        const std::string name = process.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream environment(process.path() / "environ", std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(environment)), {});
        if (text.find(temporary_) != std::string::npos && !isZombie(process.path()))
            all.push_back(static_cast<pid_t>(std::stol(name)));
    }
    return all;
}

bool Child::allGone() const {
    return test::comes([&] { return family().empty(); });
}

} // namespace marquetry::reliability
