// Folders that the version before this one exported (tests/data/exports): still ours, so that a new
// export takes their place. Its files are there byte for byte; of the design and of the memory some
// are left out, as if somebody had removed them.
#include "tests/cli/cli_fixture.h"

#include <map>

namespace marquetry::cli_test {
namespace {

using testing::HasSubstr;

struct EarlierExport {
    const char* folder;
    const char* item;
    const char* file; ///< one of the export's
};

std::string nameOf(const testing::TestParamInfo<EarlierExport>& info) {
    return info.param.folder;
}

class EarlierExports : public Cli, public testing::WithParamInterface<EarlierExport> {
protected:
    EarlierExports() {
        const std::string data = test::sourceFolder() + "/tests/data/exports";
        program_ = data + "/items.mq";
        fs::copy(data + "/" + GetParam().folder, path("old"), fs::copy_options::recursive);
    }

    Outcome exported(const std::string& folder) const {
        return run("export " + program_ + " --item " + GetParam().item + " --out " + path(folder));
    }

    std::map<std::string, std::string> filesOf(const std::string& folder) const {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(path(folder)))
            if (entry.is_regular_file())
                files[fs::relative(entry.path(), path(folder)).string()] = contents(entry.path());
        return files;
    }

    std::string program_;
};

TEST_P(EarlierExports, AreReplacedWhole) {
    const auto before = filesOf("old");
    const Outcome over = exported("old");
    ASSERT_EQ(over.status, 0) << over.err;
    ASSERT_EQ(exported("new").status, 0);
    EXPECT_NE(filesOf("old"), before);
    EXPECT_EQ(filesOf("old"), filesOf("new"));
}

TEST_P(EarlierExports, KeepWhatTheUserPutThere) {
    write("old/notes.txt", "mine");
    const Outcome over = exported("old");
    ASSERT_EQ(over.status, 0) << over.err;
    EXPECT_EQ(contents(path("old/notes.txt")), "mine");
}

TEST_P(EarlierExports, ThatWereEditedAreNotReplaced) {
    write(std::string("old/") + GetParam().file, "edited");
    const Outcome refused = exported("old");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("[output-exists]"));
    EXPECT_EQ(contents(path("old/") + GetParam().file), "edited");
}

INSTANTIATE_TEST_SUITE_P(Kinds, EarlierExports,
                         testing::Values(EarlierExport{"design", "d",
                                                       "rtl/d_unit_Mv_4_8_row0_bank0.mem"},
                                         EarlierExport{"stream", "s", "tb/tb_stream.v"},
                                         EarlierExport{"memory", "m", "rtl/m_words.v"}),
                         nameOf);

} // namespace
} // namespace marquetry::cli_test
