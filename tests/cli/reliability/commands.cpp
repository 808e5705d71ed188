#include "tests/cli/reliability/commands.h"

#include "app/cli/cli.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace marquetry::reliability {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDesign = R"(design d {
  input x  : i8[4]    = random(seed: 1);
  weight w : i8[2, 4] = file("w.bin");
  output y = mv(w, x);
}
)";
constexpr const char* kStream = R"(stream s {
  input x : Seq 8 u8;
  output y = map2(add, x, shift(1, x));
}
)";
constexpr const char* kMemory = R"(memory m {
  array a : i8[16];
  for i in 0 .. 14 { read a[i], a[i+1]; }
}
)";

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string described(const fs::directory_entry& entry) {
    if (entry.is_symlink())
        return "-> " + fs::read_symlink(entry.path()).string();
    if (entry.is_directory())
        return "folder";
    if (!entry.is_regular_file())
        return "special";
    // A report that holds the time of its search is another one each time.
    static const std::regex time(R"("search_ms": [^\n]*)");
    return std::regex_replace(contents(entry.path()), time, "");
}

/// The stream's buffer for as long as it lives.
class Capture {
public:
    explicit Capture(std::ostream& stream) : stream_(stream), saved_(stream.rdbuf(&text_)) {}
    ~Capture() { stream_.rdbuf(saved_); }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    std::string text() const { return text_.str(); }

private:
    std::ostream& stream_;
    std::stringbuf text_;
    std::streambuf* saved_;
};

} // namespace

Outcome runHere(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "marquetry");
    std::vector<char*> argv;
    for (std::string& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::cout.clear();
    std::cerr.clear();
    const Capture out(std::cout);
    const Capture err(std::cerr);
    Outcome outcome;
    outcome.status = cli::runCli(static_cast<int>(arguments.size()), argv.data());
    outcome.out = out.text();
    outcome.err = err.text();
    return outcome;
}

bool workInMemory() {
    const bool there = ::access("/dev/shm", W_OK | X_OK) == 0;
    return there && ::setenv("TEST_TMPDIR", "/dev/shm", 1) == 0;
}

Workplace::Workplace() {
    put("in/d.mq", kDesign);
    put("in/w.bin", "12345678");
    put("in/s.mq", kStream);
    put("in/m.mq", kMemory);
    const std::vector<std::string> explore{file("d.mq"), "--steps", "2"};
    const auto with = [](std::vector<std::string> all, const std::vector<std::string>& more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const std::vector<std::string> slower{"--device", "xc7z020"};
    writers_ = {
        {"explore", with({"explore"}, explore), "--out", false, slower},
        {"egraph", with({"egraph"}, explore), "--export", false, {"--without", "padding"}},
        {"run", {"run", file("d.mq")}, "--out", true, {}},
        {"run stream", {"run", file("s.mq"), "--input", "x=" + file("w.bin")}, "--out", true, {}},
        {"schedule", {"schedule", file("s.mq")}, "--out", true, {"--throughput", "2"}},
        {"schedule states", {"schedule", file("s.mq")}, "--egraph", false, {"--throughput", "2"}},
        {"bank", {"bank", file("m.mq")}, "--table", false, {"--banks", "4"}},
        {"export design", with({"export"}, explore), "--out", true, slower},
        {"export stream", {"export", file("s.mq")}, "--out", true, {"--throughput", "2"}},
        {"export memory", {"export", file("m.mq")}, "--out", true, {"--banks", "4"}},
    };
    const Writer& egraph = writers_[1];
    write(egraph, file("g.json"));
    writers_.push_back(
        {"extract", {"extract", file("g.json")}, "--out", false, {"--method", "tree"}});
}

void Workplace::put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
}

Outcome Workplace::write(const Writer& writer, const std::string& target, bool other) const {
    std::vector<std::string> arguments = writer.arguments;
    if (other)
        arguments.insert(arguments.end(), writer.other.begin(), writer.other.end());
    else if (writer.arguments[0] == "schedule")
        arguments.insert(arguments.end(), {"--throughput", "1"});
    arguments.push_back(writer.option + "=" + target);
    return runHere(std::move(arguments));
}

std::map<std::string, std::string> tree(const std::string& folder) {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        all[entry.path().lexically_relative(folder).string()] = described(entry);
    return all;
}

std::map<std::string, std::string> treeOf(const std::string& path) {
    if (fs::is_directory(path))
        return tree(path);
    std::map<std::string, std::string> one;
    if (fs::exists(fs::symlink_status(path)))
        one[""] = described(fs::directory_entry(path));
    return one;
}

} // namespace marquetry::reliability
