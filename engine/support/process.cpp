#include "engine/support/process.h"

#include "engine/support/file_system.h"
#include "engine/support/process_guard.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <poll.h>
#include <set>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace marquetry {

namespace {

namespace fs = std::filesystem;
using file_system::Descriptor;
using process_guard::Event;
using process_guard::Record;
using Clock = std::chrono::steady_clock;

/// Wakes a call that waits for its child.
class Wake {
public:
    Wake() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
    bool valid() const { return event_.valid(); }
    int get() const { return event_.get(); }
    void operator()() const { (void)!::eventfd_write(event_.get(), 1); }

private:
    Descriptor event_;
};

/// A call that has a child, or is about to.
struct Call {
    Wake wake;
};

struct Calls {
    std::mutex mutex;
    std::condition_variable gone;
    std::set<Call*> all;
    bool ended = false; ///< by endChildren
};

// Never destroyed: a thread that ends the program may come after the destructors.
Calls& calls() {
    static Calls* const kept = new Calls();
    return *kept;
}

class Registration {
public:
    explicit Registration(Call& call) : call_(call) {
        const std::lock_guard lock(calls().mutex);
        calls().all.insert(&call_);
    }
    ~Registration() {
        const std::lock_guard lock(calls().mutex);
        calls().all.erase(&call_);
        calls().gone.notify_all();
    }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

private:
    Call& call_;
};

bool areEnded() {
    const std::lock_guard lock(calls().mutex);
    return calls().ended;
}

/// Strings as execve takes them.
class Pointers {
public:
    explicit Pointers(std::vector<std::string> texts) : texts_(std::move(texts)) {
        for (std::string& text : texts_)
            pointers_.push_back(text.data());
        pointers_.push_back(nullptr);
    }
    char* const* get() const { return pointers_.data(); }

private:
    std::vector<std::string> texts_;
    std::vector<char*> pointers_;
};

/// Where the program may be; like its name when that is a path.
std::vector<std::string> placesOf(const std::string& program) {
    if (program.find('/') != std::string::npos)
        return {program};
    const char* const path = std::getenv("PATH");
    std::vector<std::string> places;
    TextIn folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code ignored;
        places.push_back((fs::absolute(folder.empty() ? "." : folder, ignored) / program).string());
    }
    return places;
}

std::vector<std::string>
environmentWith(const std::map<std::string, std::optional<std::string>>& changes) {
    std::vector<std::string> result;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        if (!changes.contains(text.substr(0, text.find('='))))
            result.push_back(text);
    }
    for (const auto& [name, value] : changes)
        if (value)
            result.push_back(name + "=" + *value);
    return result;
}

struct Pipe {
    Descriptor read;
    Descriptor write;
};

/// Descriptors from 3 on: the guard's command gets 0 to 2 anew. An errno value or 0.
int makePipe(Pipe& made) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return errno;
    made = {Descriptor(ends[0]), Descriptor(ends[1])};
    for (Descriptor* const end : {&made.read, &made.write}) {
        constexpr int kFirst = 3;
        if (end->get() >= kFirst)
            continue;
        const int moved = ::fcntl(end->get(), F_DUPFD_CLOEXEC, kFirst);
        if (moved < 0)
            return errno;
        *end = Descriptor(moved);
    }
    return 0;
}

Diagnostic cancelled(const ProcessParams& params) {
    return makeError("cancelled", inQuotes(params.arguments.front()) + " was stopped");
}

/// Our side of a guard and its command.
class Child {
public:
    Child() = default;
    /// What an exception has left running is ended.
    ~Child() {
        life_ = Descriptor();
        reap();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// An errno value or 0.
    int start(const ProcessParams& params);
    /// Until the command and all that it started have ended; `stop` has a callback that wakes.
    Result<ProcessResult> wait(const ProcessParams& params, const Call& call,
                               const std::stop_token& stop);

private:
    enum class Reason { None, Cancelled, Time, Output };

    void fork(const process_guard::GuardedCommand& command, Pipe& life, Pipe& status, Pipe& output);
    Reason reasonToEnd(const ProcessParams& params, const std::stop_token& stop);
    void pollOnce(const Call& call);
    void readOutput();
    void readStatus();
    void reap();
    Result<ProcessResult> resultOf(const ProcessParams& params, Reason reason);

    Clock::time_point deadline_ = Clock::time_point::max();
    pid_t guard_ = -1;
    Descriptor life_;
    Descriptor status_;
    Descriptor output_;
    pid_t command_ = 0;
    std::optional<int> ended_; ///< status as of waitpid
    Record failure_;           ///< when the command could not be started
    bool lost_ = false;        ///< the guard has gone without a word
    std::string text_;
};

int Child::start(const ProcessParams& params) {
    Pipe life, status, output;
    for (Pipe* const pipe : {&life, &status, &output})
        if (const int error = makePipe(*pipe); error != 0)
            return error;
    const Pointers places(placesOf(params.arguments.front()));
    const Pointers arguments(params.arguments);
    const Pointers environment(environmentWith(params.environment));
    const char* const folder = params.folder.empty() ? nullptr : params.folder.c_str();
    fork({places.get(), arguments.get(), environment.get(), folder, params.memoryBytes,
          params.fileBytes},
         life, status, output);
    if (guard_ < 0)
        return errno;
    if (params.seconds > 0)
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(params.seconds));
    life_ = std::move(life.write);
    status_ = std::move(status.read);
    output_ = std::move(output.read);
    ::fcntl(status_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
    return 0;
}

/// Signals are held up, so that no handler of ours runs in the guard.
void Child::fork(const process_guard::GuardedCommand& command, Pipe& life, Pipe& status,
                 Pipe& output) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    guard_ = ::fork();
    if (guard_ == 0)
        process_guard::run(command, {life.read.get(), status.write.get(), output.write.get()});
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
}

Result<ProcessResult> Child::wait(const ProcessParams& params, const Call& call,
                                  const std::stop_token& stop) {
    Reason reason = Reason::None;
    while (!ended_ && !lost_) {
        pollOnce(call);
        readOutput();
        if (text_.size() > params.outputBytes)
            text_.resize(params.outputBytes + 1); // kept to tell; what follows is thrown away
        readStatus();
        if (reason == Reason::None)
            reason = reasonToEnd(params, stop);
        if (reason != Reason::None)
            life_ = Descriptor();
    }
    readOutput();
    reap();
    if (reason == Reason::None && text_.size() > params.outputBytes)
        reason = Reason::Output;
    return resultOf(params, reason);
}

Child::Reason Child::reasonToEnd(const ProcessParams& params, const std::stop_token& stop) {
    if (stop.stop_requested() || areEnded())
        return Reason::Cancelled;
    if (text_.size() > params.outputBytes)
        return Reason::Output;
    return Clock::now() >= deadline_ ? Reason::Time : Reason::None;
}

void Child::pollOnce(const Call& call) {
    int most = -1;
    if (life_.valid() && deadline_ != Clock::time_point::max()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
        constexpr std::int64_t kLongest = 60'000;
        most = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kLongest));
    }
    // A closed pipe and a wake that has been heard would be ready for ever: they are left out.
    std::array<pollfd, 3> waiting = {pollfd{status_.get(), POLLIN, 0},
                                     pollfd{output_.valid() ? output_.get() : -1, POLLIN, 0},
                                     pollfd{life_.valid() ? call.wake.get() : -1, POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), most);
}

/// What the pipe holds.
void Child::readOutput() {
    std::array<char, 65536> buffer;
    constexpr int kMostReads = 64; // then the limits are looked at
    for (int k = 0; k < kMostReads && output_.valid(); ++k) {
        const ssize_t n = ::read(output_.get(), buffer.data(), buffer.size());
        if (n > 0)
            text_.append(buffer.data(), static_cast<std::size_t>(n));
        else if (n == 0)
            output_ = Descriptor();
        else if (errno != EINTR)
            return;
    }
}

void Child::readStatus() {
    Record record;
    while (true) {
        const ssize_t n = ::read(status_.get(), &record, sizeof record);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return;
        if (n != sizeof record) {
            lost_ = !ended_;
            return;
        }
        if (record.event == Event::Started)
            command_ = record.value;
        else if (record.event == Event::Ended)
            ended_ = record.value;
        else
            failure_ = record;
    }
}

void Child::reap() {
    if (guard_ < 0)
        return;
    if (lost_ && command_ > 0)
        ::kill(-command_, SIGKILL);
    while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
    }
    guard_ = -1;
}

Result<ProcessResult> Child::resultOf(const ProcessParams& params, Reason reason) {
    const std::string program = inQuotes(params.arguments.front());
    if (reason == Reason::Cancelled)
        return cancelled(params);
    if (reason == Reason::Time) {
        TextOut seconds;
        seconds << params.seconds;
        return makeError("process-time",
                         program + " was ended: it took more than " + seconds.str() + " seconds");
    }
    if (reason == Reason::Output)
        return makeError("process-output", program + " was ended: it printed more than " +
                                               std::to_string(params.outputBytes) + " bytes");
    if (failure_.event == Event::FolderFailed)
        return makeError("process-start", "cannot start " + program + " in " +
                                              inQuotes(params.folder) + ": " +
                                              strerror(failure_.value));
    if (failure_.event == Event::StartFailed)
        return makeError("process-start",
                         "cannot start " + program + ": " + strerror(failure_.value),
                         "install " + printable(params.arguments.front()) + " or put it in PATH");
    if (lost_)
        return makeError("process-lost", program + " was ended: the process that watched over it "
                                                   "was killed");
    const int status = *ended_;
    return ProcessResult{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                         std::move(text_)};
}

} // namespace

Result<ProcessResult> runProcess(const ProcessParams& params, std::stop_token stop) {
    ENGINE_ASSERT(!params.arguments.empty(), "a command names its program");
    if (stop.stop_requested())
        return cancelled(params);
    Call call;
    Child child;
    const Registration registered(call);
    if (areEnded())
        return cancelled(params);
    const int error = call.wake.valid() ? child.start(params) : errno;
    if (error != 0)
        return makeError("process-start", "cannot start " + inQuotes(params.arguments.front()) +
                                              ": " + strerror(error));
    const std::stop_callback wake(stop, [&call] { call.wake(); });
    return child.wait(params, call, stop);
}

void endChildren() {
    constexpr std::chrono::seconds kPatience{2};
    std::unique_lock lock(calls().mutex);
    calls().ended = true;
    for (Call* const call : calls().all)
        call->wake();
    calls().gone.wait_for(lock, kPatience, [] { return calls().all.empty(); });
}

} // namespace marquetry
