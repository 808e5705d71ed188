// The same choice writes the same bytes, and so does what an export says of how it was made.
#include "tests/vendor/exports/exported_folders.h"

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;

class RepeatedExports : public ExportedFolders {
protected:
    /// The command of the folder's page, run in it.
    std::filesystem::path again(const std::filesystem::path& folder) const {
        const std::string page = readText(folder / "report.md").value_or("");
        const std::string begin = "marquetry export DESIGN.json";
        const auto at = page.find(begin);
        EXPECT_NE(at, page.npos) << folder;
        std::string options = page.substr(at + begin.size());
        options = options.substr(0, options.find(" --out FOLDER"));
        const std::string to = folder.string() + "_again";
        const auto result =
            ran({"sh", "-c", program() + " export DESIGN.json" + options + " --out " + to}, folder);
        EXPECT_EQ(result.exitCode, 0) << options << "\n" << result.output;
        EXPECT_THAT(readText(folder / "README.md").value_or(""), HasSubstr(begin + options));
        return to;
    }

    static files::FolderFiles within(const std::filesystem::path& folder, const char* of) {
        files::FolderFiles files = contentsOf(folder);
        std::erase_if(files, [&](const auto& file) { return !file.first.starts_with(of); });
        return files;
    }
};

const std::vector<const char*> kChoices = {
    "--item d",
    "--item d --device xc7k160t --clock 123.456 --target vivado --limit dsp=16",
    "--item d --target vivado --interface axi --board pynq-z2 --clock 77 --stream-bits 16",
    "--item d --target open --device ice40up5k --vectors 5 --seed 9 --objective area",
    "--item s --throughput 1/2 --vectors 4",
    "--item s --target vivado --interface axi --board zcu104 --clock 99.9 --seed 7",
};

TEST_F(RepeatedExports, AreTheSameBytes) {
    for (const char* choice : kChoices) {
        const auto one = made(choice, "one"), two = made(choice, "two");
        EXPECT_EQ(contentsOf(one), contentsOf(two)) << choice;
        std::filesystem::remove_all(one);
        std::filesystem::remove_all(two);
    }
}

TEST_F(RepeatedExports, FollowFromWhatTheyStateOfThemselves) {
    for (const char* choice : kChoices) {
        const auto folder = made(choice, "one");
        const auto repeated = again(folder);
        EXPECT_EQ(contentsOf(folder), contentsOf(repeated)) << choice;
        std::filesystem::remove_all(folder);
        std::filesystem::remove_all(repeated);
    }
}

/// The held scheme is taken as it is, so that DESIGN.json lists no others beside it.
TEST_F(RepeatedExports, OfMemoriesHaveTheSameHardwareAndProject) {
    for (const char* choice : {"--item m", "--item m --target vivado --device xc7z020 --clock 61",
                               "--item m --banks 4 --alpha 1,1"}) {
        const auto folder = made(choice, "one");
        const auto repeated = again(folder);
        auto first = contentsOf(folder), second = contentsOf(repeated);
        for (const char* of : {"DESIGN.json", "manifest.json", "report.html", "report.md"}) {
            first.erase(of);
            second.erase(of);
        }
        EXPECT_EQ(first, second) << choice;
        std::filesystem::remove_all(folder);
        std::filesystem::remove_all(repeated);
    }
}

TEST_F(RepeatedExports, OfHeldDesignsHaveTheSameCoreInAnyForm) {
    for (const char* item : {"d", "s"}) {
        const auto folder =
            made(std::string("--item ") + item + " --target vivado --interface axi --board pynq-z2",
                 item);
        const std::string held = folder / "DESIGN.json";
        const files::FolderFiles behind = within(folder, "rtl/");
        for (const char* form :
             {"--target verilog", "--target vivado", "--target verilog --interface axi",
              "--target vivado --interface axi --stream-bits 32 --board none"}) {
            const auto other = top_.path() / "other";
            const auto result = exported(form, other, held);
            ASSERT_EQ(result.exitCode, 0) << form << "\n" << result.output;
            for (const auto& [path, text] : within(other, "rtl/")) {
                const bool shell = path.ends_with("_axi.v") || !behind.contains(path);
                EXPECT_TRUE(shell || text == behind.at(path)) << form << " " << path;
            }
            EXPECT_TRUE(std::filesystem::exists(other / "rtl" / (std::string(item) + "_top.v")));
            expectVerified(other, "iverilog");
            std::filesystem::remove_all(other);
        }
        const auto refused = exported("--target quartus", top_.path() / "other", held);
        EXPECT_EQ(refused.exitCode, 2);
        EXPECT_THAT(refused.output, HasSubstr("[target-device]"));
        EXPECT_FALSE(std::filesystem::exists(top_.path() / "other"));
    }
}

TEST_F(RepeatedExports, DoNotTakeThePlaceOfWhatTheyAreMadeOf) {
    const auto folder = made("--item d --device xc7z020 --interface axi", "place");
    const auto before = contentsOf(folder);
    const auto here = [&](const std::string& to) {
        return ran({program(), "export", "DESIGN.json", "--target", "vivado", "--out", to}, folder);
    };
    const auto refused = here(".");
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.output, HasSubstr("[output-is-input]"));
    EXPECT_EQ(contentsOf(folder), before);
    EXPECT_EQ(here("nested").exitCode, 0);
    expectWhole(folder / "nested");
}

} // namespace
} // namespace marquetry::test
