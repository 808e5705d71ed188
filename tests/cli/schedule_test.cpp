// `schedule`: what it reports, and what it refuses.
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

#include "engine/support/rng.h"

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;

const std::string kMap = "stream m { input x : Seq 8 u8; output y = map(fn v -> add(v, 5), x); }\n";
const std::string kSum = "stream s { input x : Seq 8 u8; output y = reduce(add, x); }\n";

TEST_F(Cli, ScheduleReportsTypesAreaAndFront) {
    const std::string file = write("map.mq", kMap);
    const Outcome done = run("schedule " + file + " --throughput 2 --json");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["stream"], "m");
    EXPECT_EQ(report["throughput"], "2");
    EXPECT_EQ(report["clocks"], 4);
    EXPECT_EQ(report["output_type"], "TSeq 4 0 (SSeq 2 u8)");
    EXPECT_EQ(report["counted"]["lut"], 16);
    EXPECT_EQ(report["counted"]["ff"], 0);
    EXPECT_EQ(report["counted"]["gap"], 0.0);
    EXPECT_EQ(report["inputs"][0],
              (Json{{"name", "x"}, {"type", "TSeq 4 0 (SSeq 2 u8)"}, {"rate", "2"}}));
    EXPECT_EQ(report["delay"], 0);
    // Constants are free in a carry chain; the output has registers, and so has its valid bit.
    EXPECT_EQ(report["hardware"]["lut"], 0);
    EXPECT_NEAR(report["hardware"]["ff"].get<double>(), 17, 2);
    for (const char* resource : {"lut", "ff", "bram", "dsp"}) {
        EXPECT_EQ(report["area"][resource], report["hardware"][resource]) << resource;
        EXPECT_EQ(report["front"][0][resource], report["hardware"][resource]) << resource;
    }
    EXPECT_EQ(report["hardware"]["latency"], 1);
    EXPECT_EQ(report["hardware"]["step_clocks"], 1);
    EXPECT_EQ(report["front"].size(), 1U);
    EXPECT_GE(report["types"].size(), 2U);
    EXPECT_EQ(report["types"][0], (Json{{"op", "input"}, {"type", "TSeq 4 0 (SSeq 2 u8)"}}));
}

TEST_F(Cli, ScheduleByClocksAndInText) {
    const std::string file = write("two.mq", kMap + kSum);
    const Outcome done = run("schedule " + file + " --item s --clocks 8");
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("stream s: 1/8 elements per clock, 8 clocks"));
    EXPECT_THAT(done.out, HasSubstr("reduce_t 8 0"));
    EXPECT_THAT(done.out, HasSubstr("0 RAMB36, 0 DSP, delay 8\n"));
    EXPECT_THAT(done.out, HasSubstr("hardware: latency 8 clocks, longest path "));
    EXPECT_THAT(done.out, HasSubstr("counted by the search: 8 LUT, 8 FF, 0 RAMB36, 0 DSP"));
}

TEST_F(Cli, ScheduleSaysWhyACircuitIsNoHardware) {
    const std::string file =
        write("wide.mq", "stream t { input x : Seq 8192 u8; input z : Seq 8192 u8; "
                         "output y = map2(add, x, z); }\n");
    const Outcome wide = run("schedule " + file + " --throughput 4096 --json");
    ASSERT_EQ(wide.status, 0) << wide.err;
    EXPECT_EQ(Json::parse(wide.out)["hardware"]["error"], "too-large");
    EXPECT_THAT(run("schedule " + file + " --throughput 4096").out,
                HasSubstr("hardware: none, to be estimated, the datapath has 12288 words"));
}

TEST_F(Cli, ScheduleKeepsThePinnedOutputType) {
    const std::string file = write("map.mq", kMap);
    const std::string ask = "schedule " + file + " --clocks 16 --json --output-type ";
    const std::string type = "TSeq 8 8 u8";
    const Outcome done = run(ask + "'" + type + "'");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["output_type"], type);
    EXPECT_EQ(report["candidates"], 1);
    const Outcome refused = run(ask + "'TSeq 3 3 u8'");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.out + refused.err, HasSubstr("type-unknown"));
}

TEST_F(Cli, ScheduleNamesTheNearestThroughputs) {
    const std::string file = write("map.mq", kMap);
    const Outcome none = run("schedule " + file + " --throughput 3");
    EXPECT_EQ(none.status, 1) << "the answer is no";
    EXPECT_THAT(none.err, HasSubstr("no type of Seq 8 u8 has 3 elements per clock"));
    EXPECT_THAT(none.err, HasSubstr("the nearest are 8, 4, 8/3, 2 elements per clock"));
}

TEST_F(Cli, ScheduleRefusesWhatIsNoThroughput) {
    const std::string file = write("map.mq", kMap);
    for (const char* wrong : {"0", "-1", "1/0", "1/-3", "x", "1/", "1.5", "''"}) {
        const Outcome refused = run("schedule " + file + " --throughput=" + wrong + " --json");
        EXPECT_EQ(refused.status, 2) << wrong;
    }
    EXPECT_THAT(run("schedule " + file + " --throughput=0").err, HasSubstr("[bad-throughput]"));
    EXPECT_EQ(run("schedule " + file + " --clocks 0").status, 2);
    for (const char* wrong : {"0", "-1", "nan", "inf", "x"})
        EXPECT_EQ(run("schedule " + file + " --clocks 8 --time=" + wrong).status, 2) << wrong;
    EXPECT_EQ(run("schedule " + file).status, 2);
    EXPECT_EQ(run("schedule " + file + " --throughput 1 --clocks 8").status, 2);
    EXPECT_EQ(run("schedule " + file + " --throughput 1 --device nowhere").status, 2);
    EXPECT_EQ(run("schedule " + path("missing.mq") + " --throughput 1").status, 2);
}

TEST_F(Cli, ScheduleRefusesMoreClocksThanItCanSearch) {
    const std::string file = write("map.mq", kMap);
    for (const std::string wrong :
         {"--clocks 9223372036854775807", "--clocks 9223372036854775808", "--clocks 1099511627777",
          "--throughput 1/1000000000000000000", "--throughput 7/1000000000000000000"}) {
        const Outcome refused = run("schedule " + file + " " + wrong);
        EXPECT_EQ(refused.status, 2) << wrong;
        EXPECT_THAT(refused.err, HasSubstr("takes at most 1099511627776 clocks")) << wrong;
    }
    EXPECT_EQ(run("schedule " + file + " --clocks 1099511627776").status, 0);
}

TEST_F(Cli, ScheduleOfAShiftBeyondAllLooksAtNoMoreThanUsual) {
    const std::string example = test::sourceFolder() + "/examples/streams/camera/camera.mq";
    std::string text = contents(example);
    const std::string from = "let cross  = map2(tuple, map2(tuple, shift(1, north)";
    const std::size_t at = text.rfind(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), "let cross  = map2(tuple, map2(tuple, shift(2147483647, north)");
    const std::string file = write("camera.mq", text);
    const auto statesOf = [&](const std::string& of) {
        const Outcome done =
            run("schedule " + of + " --item camera_8x8 --throughput 1/3 --json --time 100000");
        EXPECT_EQ(done.status, 0) << done.err;
        return Json::parse(done.out)["states"].get<std::int64_t>();
    };
    EXPECT_LE(statesOf(file), 2 * statesOf(example));
}

TEST_F(Cli, ScheduleSaysNoWhenNoCircuitExists) {
    const std::string file =
        write("product.mq", "stream p { input x : Seq 65536 u32; output y = reduce(mul, x); }\n");
    const Outcome none = run("schedule " + file + " --clocks 32");
    EXPECT_EQ(none.status, 1);
    EXPECT_THAT(none.err, HasSubstr("[no-schedule]"));
}

TEST_F(Cli, ScheduleWithoutARewrite) {
    const std::string file =
        write("sum.mq", "stream s { input x : Seq 8 u8; output y = map(fn v -> mul(v, 6), x); }\n");
    const auto lutsOf = [&](const std::string& options) {
        const Outcome done = run("schedule " + file + " --throughput 1 --json" + options);
        EXPECT_EQ(done.status, 0) << done.err;
        return Json::parse(done.out)["counted"]["lut"].get<int>();
    };
    EXPECT_EQ(lutsOf(""), 8);
    EXPECT_EQ(lutsOf(" --without sums,separable"), 8);
    const Outcome wrong = run("schedule " + file + " --throughput 1 --without sum");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, HasSubstr("there is no rewrite 'sum'"));
    EXPECT_THAT(wrong.err, HasSubstr("the rewrites are common, windows, constants"));
    EXPECT_THAT(run("schedule --help").out, HasSubstr("separable"));
}

TEST_F(Cli, ScheduleRefusesDevicesItHasNoAreasOf) {
    const std::string file = write("map.mq", kMap);
    for (const char* device : {"arria10", "ice40up5k", "lfe5u-85f"}) {
        const Outcome refused = run("schedule " + file + " --throughput 1 --device " + device);
        EXPECT_EQ(refused.status, 2) << device;
        EXPECT_THAT(refused.err, HasSubstr("[unsupported-device]"));
        EXPECT_THAT(refused.err, HasSubstr("as xc7k160t"));
    }
    EXPECT_EQ(run("schedule " + file + " --throughput 1 --device xcu250").status, 0);
}

TEST_F(Cli, ScheduleStatesItsTimeLimitAndItsGap) {
    EXPECT_THAT(run("schedule --help").out, HasSubstr("seconds for the search"));
    EXPECT_THAT(run("schedule --help").out, HasSubstr("=30"));
    const std::string file = write("map.mq", kMap);
    const Outcome done = run("schedule " + file + " --throughput 1 --json");
    EXPECT_EQ(Json::parse(done.out)["counted"]["gap"], 0.0);
}

TEST_F(Cli, ScheduleOfDeeplyNestedSequencesEnds) {
    const std::string deep =
        "stream d { input x : Seq 12 Seq 12 Seq 12 Seq 12 Seq 12 u8; output y = "
        "map(fn a -> map(fn b -> map(fn c -> map(fn d -> map(fn v -> add(v, 3),"
        " d), c), b), a), x); }\n";
    const Outcome refused = run("schedule " + write("deep.mq", deep) + " --throughput 1");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("[too-many-types]"));
    EXPECT_THAT(refused.err, HasSubstr("unpartition makes one sequence"));
    const std::string nested = "stream n { input x : Seq 60 Seq 60 Seq 60 u8; output y = "
                               "map(fn a -> map(fn b -> map(fn v -> add(v, 3), b), a), x); }\n";
    const Outcome done = run("schedule " + write("n.mq", nested) + " --throughput 1 --json");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["counted"]["lut"], 8);
    EXPECT_FALSE(report.contains("stop"));
}

TEST_F(Cli, ScheduleSaysTheSameOfTheSameProgram) {
    const std::string source =
        contents(test::sourceFolder() + "/examples/streams/camera/camera.mq");
    SplitMix64 random(7);
    int scheduled = 0;
    for (int k = 0; k < 24; ++k) {
        std::string text = source;
        for (int change = 0; change < k % 4; ++change) { // other numbers, operators that swap
            const std::size_t at = static_cast<std::size_t>(
                random.range(0, static_cast<std::int64_t>(text.size()) - 1));
            const std::size_t digit = text.find_first_of("0123456789", at);
            if (digit != std::string::npos)
                text[digit] = static_cast<char>('0' + random.range(0, 9));
        }
        const std::string file = write("camera.mq", text);
        const std::string command =
            "schedule " + file + " --item camera_8x8 --throughput " + (k % 2 == 0 ? "1" : "1/2");
        const Outcome first = run(command);
        const Outcome second = run(command);
        EXPECT_EQ(first.status, second.status);
        EXPECT_EQ(first.out, second.out);
        EXPECT_EQ(first.err, second.err);
        scheduled += first.status == 0 ? 1 : 0;
    }
    EXPECT_GE(scheduled, 6);
}

TEST_F(Cli, ScheduleWritesItsStatesForExtraction) {
    const std::string file =
        test::sourceFolder() + "/examples/streams/conv/conv.mq --item conv_4x4";
    const std::string json = path("states.json");
    const Outcome done =
        run("schedule " + file + " --throughput 1/3 --within 50 --json --egraph " + json);
    ASSERT_EQ(done.status, 0) << done.err;
    const Json area = Json::parse(done.out)["counted"];
    const double cost =
        1e6 * (area["lut"].get<double>() / 101400 + area["ff"].get<double>() / 202800);
    const Outcome extracted = run("extract " + json + " --method exact --json");
    ASSERT_EQ(extracted.status, 0) << extracted.err;
    EXPECT_NEAR(Json::parse(extracted.out)["dag_cost"].get<double>(), cost, 1e-6 * cost);
    EXPECT_EQ(run("schedule " + file + " --throughput 1 --within 5").status, 2) << "needs --egraph";
}

TEST_F(Cli, ScheduleWritesItsCircuit) {
    const std::string file = write("sum.mq", kSum);
    const std::string folder = path("out");
    const Outcome done = run("schedule " + file + " --throughput 1/8 --out " + folder + " --json");
    ASSERT_EQ(done.status, 0) << done.err;
    Json report = Json::parse(done.out);
    EXPECT_EQ(Json::parse(contents(folder + "/schedule.json")), report);
    const std::string circuit = contents(folder + "/circuit.txt");
    EXPECT_THAT(circuit, HasSubstr("= input : TSeq 8 0 u8"));
    EXPECT_THAT(circuit, HasSubstr("= reduce_t 8 0 %"));
    EXPECT_THAT(circuit, HasSubstr("= add %0 %1 : u8"));
    EXPECT_EQ(run("schedule " + file + " --throughput 1/8 --out " + folder).status, 0) << "again";
    EXPECT_EQ(run("schedule " + file + " --throughput 1/8 --out " + path("")).status, 2)
        << "a folder of others";
}

TEST_F(Cli, ScheduleOfSeveralOutputs) {
    const std::string file =
        write("two.mq", "stream t { input x : Seq 8 u8; output a = map(fn v -> lt(v, 9), x);\n"
                        "output b = map(fn v -> add(v, 1), x); output c = shift(1, x); }\n");
    const Outcome done = run("schedule " + file + " --throughput 2 --json");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["output_type"], "TSeq 4 0 (SSeq 2 (bit, (u8, u8)))");
    ASSERT_EQ(report["outputs"].size(), 3U);
    EXPECT_EQ(report["outputs"][0], (Json{{"name", "a"}, {"type", "TSeq 4 0 (SSeq 2 bit)"}}));
    EXPECT_EQ(report["outputs"][2], (Json{{"name", "c"}, {"type", "TSeq 4 0 (SSeq 2 u8)"}}));
    EXPECT_EQ(report["counted"]["lut"], 28);
    const std::string apart = write("apart.mq", "stream t { input x : Seq 8 u8; output a = x;\n"
                                                "output b = reduce(add, x); }\n");
    const Outcome refused = run("schedule " + apart + " --throughput 1");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("apart.mq:2:12: error: the outputs 'a' : Seq 8 u8 and 'b' : "
                                       "Seq 1 u8 cannot come side by side [several-outputs]"));
}

TEST_F(Cli, ScheduleOfAnOutputOfTuples) {
    const std::string file =
        write("tuples.mq", "stream t { input x : Seq 64 u16;\n"
                           "output y = unpartition(map(seq_to_tuple, partition(8, 8, x))); }\n");
    const Outcome refused = run("schedule " + file + " --throughput 1");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("tuples.mq:2:12: error: the output 'y' : Seq 8 STuple 8 u16 "
                                       "is no sequence of atoms [output-type]"));
    EXPECT_THAT(refused.err, HasSubstr("tuple_to_seq makes a sequence of an STuple"));
}

} // namespace
} // namespace marquetry::cli_test
