// What is read of an export: each file once, by plain names, as the manifest has them.
#include "engine/artefact/manifest.h"
#include "engine/artefact/opened_export.h"
#include "engine/support/json.h"
#include "engine/support/sha256.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/test_designs.h"

#include <fstream>
#include <sys/stat.h>

namespace marquetry {
namespace {

namespace fs = std::filesystem;

class OpenedExport : public test::ExportTest {
protected:
    void SetUp() override { exportTo("export", test::convPoolRequant()); }

    std::string folder() const { return path("export"); }

    void write(const std::string& name, const std::string& bytes) const {
        fs::create_directories(fs::path(folder() + "/" + name).parent_path());
        std::ofstream(folder() + "/" + name, std::ios::binary) << bytes;
    }

    /// A manifest that lists one file more.
    void list(const std::string& name, const std::string& bytes) const {
        const std::string path = folder() + "/manifest.json";
        auto json = nlohmann::ordered_json::parse(*files::read(path));
        json["files"].push_back(
            {{"path", name}, {"bytes", bytes.size()}, {"sha256", sha256(bytes)}});
        write("manifest.json", json.dump());
    }

    std::string answer() const {
        const auto source = hdl::readExport(folder());
        return source ? "read" : source.error().front().code;
    }
};

TEST_F(OpenedExport, HoldsWhatTheManifestNames) {
    const auto source = hdl::readExport(folder());
    ASSERT_TRUE(source) << format(source.error());
    EXPECT_EQ(source->program, "conv_pool");
    EXPECT_EQ(source->programFile, "program/conv_pool.mq");
    EXPECT_EQ(source->kind, hdl::ExportKind::Design);
    std::size_t count = 1; // the manifest itself
    for (const auto& [name, bytes] : source->files) {
        EXPECT_EQ(bytes, *files::read(folder() + "/" + name)) << name;
        ++count;
    }
    std::size_t there = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
        there += entry.is_regular_file() ? 1 : 0;
    EXPECT_EQ(count, there);
}

TEST_F(OpenedExport, RefusesNamesThatNoExportHas) {
    const std::string bytes = "x";
    for (const char* const name : {"/etc/hostname", "../x",      "a/../../x",
                                   "a/..",          "",          ".",
                                   "./x",           "a//x",      "a/",
                                   "a b",           "a\nb",      "a`id`",
                                   "$HOME",         "-x",        "a/-x",
                                   ".hidden",       "rtl/x.cpp", "rtl/sub/x.v",
                                   "rtl/x",         "rtl/x.v ",  "program/../x",
                                   "program/",      "program/.", "program//etc/hostname/../../x"}) {
        exportTo("export", test::convPoolRequant());
        list(name, bytes);
        EXPECT_EQ(answer(), "export-damaged") << name;
    }
}

TEST_F(OpenedExport, WeightsMayHaveAnyName) {
    for (const char* const name : {"program/my weights.npy", "program/a/$HOME `id`.npy",
                                   "program/.w", "program/-w", "program/\xc3\xa9.npy"}) {
        exportTo("export", test::convPoolRequant());
        write(name, "w");
        EXPECT_EQ(answer(), "export-damaged") << "a stray file: " << name;
        list(name, "w");
        EXPECT_EQ(answer(), "read") << name;
    }
    list("program/./-w", "w");
    write("program/-w", "w");
    const auto source = hdl::readExport(folder());
    ASSERT_TRUE(source) << format(source.error());
    EXPECT_TRUE(source->files.contains("program/-w")) << "where the program finds it";
}

TEST_F(OpenedExport, RefusesWhatIsNoFile) {
    const std::string path = folder() + "/report.json";
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(answer(), "file-unreadable");
    fs::remove(path);
    EXPECT_EQ(answer(), "export-damaged");
    fs::create_symlink("/dev/zero", path);
    EXPECT_EQ(answer(), "file-unreadable");
    fs::remove(folder() + "/manifest.json");
    ASSERT_EQ(::mkfifo((folder() + "/manifest.json").c_str(), 0600), 0);
    EXPECT_EQ(answer(), "file-unreadable");
}

TEST_F(OpenedExport, RefusesFilesThatNobodyListed) {
    for (const char* const name : {"rtl/extra.v", "tb/extra.cpp", "program/extra.npy"}) {
        write(name, "x");
        EXPECT_EQ(answer(), "export-damaged") << name;
        fs::remove(folder() + "/" + name);
        fs::create_symlink("/etc/hostname", folder() + "/" + name);
        EXPECT_EQ(answer(), "export-damaged") << name;
        fs::remove(folder() + "/" + name);
    }
    write("notes.txt", "the user's");
    EXPECT_EQ(answer(), "read");
}

TEST_F(OpenedExport, RefusesManifestsThatAreNone) {
    for (const char* const text : {"", "{", "[]", "{\"kind\":\"other\"}", "{\"kind\":5}"}) {
        write("manifest.json", text);
        EXPECT_EQ(answer(), "export-missing") << text;
    }
    for (const char* const text :
         {"{\"kind\":\"marquetry-export\"}", "{\"kind\":\"marquetry-export\",\"files\":{}}",
          "{\"kind\":\"marquetry-export\",\"files\":[]}",
          "{\"kind\":\"marquetry-export\",\"files\":[5]}",
          "{\"kind\":\"marquetry-export\",\"files\":[{\"path\":\"DESIGN.json\",\"sha256\":1}]}"}) {
        write("manifest.json", text);
        EXPECT_EQ(answer(), "export-damaged") << text;
    }
}

} // namespace
} // namespace marquetry
