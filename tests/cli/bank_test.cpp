// `marquetry bank`: the report, the table checked by enumeration, answers that are "no".
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

#include <map>
#include <set>

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;

const std::string kDenoise = "for i in 0 .. 6, j in 0 .. 6 {"
                             " read a[i+1, j], a[i, j+1], a[i+1, j+2], a[i+2, j+1]; } }\n";

std::string memories() {
    return test::sourceFolder() + "/examples/memories/memories.mq";
}

TEST_F(Cli, BankReportsEveryFieldOfTheReference) {
    const Outcome done = run("bank " + memories() + " --item denoise --json");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["array"], "a");
    EXPECT_EQ(report["dims"], Json::array({8, 8}));
    EXPECT_EQ(report["min_banks"], 4);
    EXPECT_EQ(report["proved_minimal"], true);
    EXPECT_EQ(report["lower_bound"], 4);
    EXPECT_EQ(report["lower_bound_by"], "lanes");
    EXPECT_EQ(report["lanes"].size(), 4U);
    EXPECT_EQ(report["lanes"][0]["access"], "a[i + 1, j]");
    for (const char* field : {"ports", "banks", "copies", "maps", "box", "depth", "words",
                              "padding", "dark", "rejected", "search_us", "front", "cost"})
        EXPECT_TRUE(report.contains(field)) << field;
    std::int64_t banks = 1;
    for (const Json& map : report["maps"])
        banks *= map["N"].get<std::int64_t>();
    EXPECT_EQ(report["banks"], banks);
    ASSERT_FALSE(report["rejected"].empty());
    const Json why = report["rejected"][0]["why"];
    EXPECT_EQ(why["lanes"].size(), 2U);
    EXPECT_TRUE(why["iteration"].contains("i"));
    EXPECT_TRUE(why.contains("bank"));
    EXPECT_FALSE(report["front"].empty());
}

TEST_F(Cli, BankTableServesEveryCycle) {
    const std::string table = path("table.csv");
    const Outcome done =
        run("bank " + memories() + " --item denoise --max-copies 1 --table " + table);
    ASSERT_EQ(done.status, 0) << done.err;
    std::istringstream lines(contents(table));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "x0,x1,bank,offset");
    std::map<std::pair<int, int>, std::int64_t> bankOf;
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    while (std::getline(lines, line)) {
        int x0 = 0;
        int x1 = 0;
        long bank = 0;
        long offset = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%d,%d,%ld,%ld", &x0, &x1, &bank, &offset), 4);
        bankOf[{x0, x1}] = bank;
        EXPECT_TRUE(places.emplace(bank, offset).second) << line;
    }
    ASSERT_EQ(bankOf.size(), 64U);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            const std::set<std::int64_t> banks = {bankOf[{i + 1, j}], bankOf[{i, j + 1}],
                                                  bankOf[{i + 1, j + 2}], bankOf[{i + 2, j + 1}]};
            EXPECT_EQ(banks.size(), 4U) << i << ", " << j;
        }
    }
}

TEST_F(Cli, BankIsDeterministic) {
    const auto report = [&] {
        Json json = Json::parse(run("bank " + memories() + " --item sobel3d_27 --json").out);
        json.erase("search_us");
        return json.dump();
    };
    EXPECT_EQ(report(), report());
}

TEST_F(Cli, BankPrintsTheDecisionForPeople) {
    const Outcome done = run("bank " + memories() + " --item seed_ex2");
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("fewest banks: 4"));
    EXPECT_THAT(done.out, HasSubstr("proven for any scheme by lanes: 4 addresses in one cycle"));
    EXPECT_THAT(done.out, HasSubstr("cost on arria10: "));
}

TEST_F(Cli, BankTakesAndGivesXorMaps) {
    const std::string file =
        write("x.mq", "memory m { array a : i8[8]; for i in 0 .. 4 { read a[2*i], a[2*i + 1]; } }");
    const Outcome done = run("bank " + file + " --map xor,5 --json");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json json = Json::parse(done.out);
    EXPECT_EQ(json["kind"], "xor");
    EXPECT_EQ(json["maps"], Json::parse("[{\"xor\": [5]}]"));
    EXPECT_EQ(json["proved_among"], "any scheme");
    EXPECT_EQ(run("bank " + file + " --map xor,6 --copies 1").status, 1);
    const Outcome wrong = run("bank " + file + " --map xor,5,1");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, HasSubstr("has 2 masks, the array 1 dimensions"));
    EXPECT_EQ(run("bank " + file + " --map xor,5 --map 2,1,1").status, 2);
}

TEST_F(Cli, BankAnswersNoWithAWitness) {
    const std::string file = write(
        "m.mq", "memory m { array a : i32[8, 8] bank flat(4, 1, [1, 2]) copies 1; " + kDenoise);
    const Outcome refused = run("bank " + file);
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("m.mq:1:"));
    EXPECT_THAT(refused.err, HasSubstr("[bank-conflict]"));
    EXPECT_THAT(refused.err, HasSubstr("both hit bank 1 at i = 0, j = 0"));
}

TEST_F(Cli, BankSaysWhatBrokeLockstepAndWhatRestoresIt) {
    const std::string file = test::sourceFolder() + "/examples/lockstep/lockstep.mq --item ragged";
    const Outcome text = run("bank " + file);
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out,
                HasSubstr("`j in 0 .. ?n(i)` ends differently in the lanes of i (par 2), which "
                          "drift apart; write `j in 0 .. 64` (lanes past ?n(i) idle) or "
                          "`i in 0 .. 64` to restore lockstep"));
    const Json report = Json::parse(run("bank " + file + " --json").out);
    const Json& dephased = report["groups"][0]["dephased"];
    ASSERT_EQ(dephased.size(), 1U);
    EXPECT_EQ(dephased[0]["cause"], "j in 0 .. ?n(i)");
    EXPECT_EQ(dephased[0]["bound"], "?n(i)");
    EXPECT_EQ(dephased[0]["iterator"], "i");
    EXPECT_EQ(dephased[0]["lanes"], 2);
    EXPECT_EQ(dephased[0]["edits"][0],
              Json({{"replace", "j in 0 .. ?n(i)"}, {"by", "j in 0 .. 64"}}));
    EXPECT_EQ(dephased[0]["edits"][1],
              Json({{"replace", "i in 0 .. 64 par 2"}, {"by", "i in 0 .. 64"}}));
    EXPECT_EQ(run("bank " + file + "_idle --json").out.find("\"dephased\":[{"), std::string::npos);
}

TEST_F(Cli, BankRefusesWrongInput) {
    const std::string file = write("m.mq", "memory m { array a : i32[8, 8]; " + kDenoise);
    EXPECT_EQ(run("bank " + path("missing.mq")).status, 2);
    EXPECT_EQ(run("bank " + file + " --item other").status, 2);
    EXPECT_EQ(run("bank " + file + " --max-copies 0").status, 2);
    for (const char* wrong : {"0", "-1", "nan", "inf", "x"})
        EXPECT_EQ(run("bank " + file + " --time=" + wrong).status, 2) << wrong;
    EXPECT_EQ(run("bank " + file + " --device nothing").status, 2);
    EXPECT_EQ(run("bank " + file + " --effort some").status, 2);
    EXPECT_EQ(run("bank " + file + " --table " + path("no/folder.csv")).status, 2);
    const std::string large = write("l.mq", "memory l { array a : i8[2147483648];"
                                            " for i in 0 .. 2147483648 par 2 { read a[i]; } }");
    const Outcome rows = run("bank " + large + " --table " + path("large.csv"));
    EXPECT_EQ(rows.status, 2);
    EXPECT_THAT(rows.err, HasSubstr("[too-large]"));
    EXPECT_EQ(run("bank " + large).status, 0);
    const std::string wide = write("w.mq", "memory w { array a : i8[1048576];"
                                           " for i in 0 .. 1000000 par 1000000 { read a[i]; } }");
    const Outcome lanes = run("bank " + wide);
    EXPECT_EQ(lanes.status, 2);
    EXPECT_THAT(lanes.err, HasSubstr("[too-many-lanes]"));
}

TEST_F(Cli, BankWritesAHeaderForHighLevelSynthesis) {
    const std::string header = path("denoise_banks.h");
    const std::string asked = "bank " + memories() + " --item denoise --hls " + header;
    ASSERT_EQ(run(asked).status, 0);
    const std::string text = contents(header);
    EXPECT_THAT(text, HasSubstr("#pragma HLS array_partition variable=a type=cyclic"));
    EXPECT_THAT(text, HasSubstr("namespace denoise_a_banks {"));
    EXPECT_EQ(run(asked).status, 0) << "one of its own is replaced";
    EXPECT_EQ(contents(header), text);
    write("denoise_banks.h", "// somebody's\n");
    EXPECT_EQ(run(asked).status, 2);
    EXPECT_EQ(contents(header), "// somebody's\n");
    EXPECT_EQ(run("bank " + example("lenet5") + " --hls " + path("two.h")).status, 2)
        << "many arrays";
}

TEST_F(Cli, MemoriesAreExportedAndVerified) {
    const std::string out = path("export");
    ASSERT_EQ(run("export " + memories() + " --item seed_ex1 --out " + out).status, 0);
    EXPECT_THAT(contents(out + "/hls/seed_ex1_banks.h"), HasSubstr("namespace seed_ex1_"));
    const Outcome again = run("export " + memories() + " --item seed_ex1 --json --out " + out);
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_GE(Json::parse(again.out)["files"], 6);
    const Outcome done = run("verify " + out + " --simulator iverilog --vectors 1 --json");
    EXPECT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["pass"], true);
    EXPECT_EQ(report["cycles"], 40000);
    EXPECT_EQ(report["predicted_cycles"], 40000);
    EXPECT_TRUE(report["mismatches"].empty());
}

TEST_F(Cli, AConflictingMemoryIsNotExported) {
    const std::string file = write("bad.mq", "memory bad { array a : i32[8, 8] bank flat(4, 1, "
                                             "[1, 2]) copies 1; " +
                                                 kDenoise);
    const Outcome done = run("export " + file + " --out " + path("bad"));
    EXPECT_EQ(done.status, 1);
    EXPECT_THAT(done.err, HasSubstr("bank-conflict"));
}

} // namespace
} // namespace marquetry::cli_test
