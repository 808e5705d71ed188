// Functions that were longer than the limit of function_length_test.cpp when it came, with the most
// lines they may have until somebody parts them. Nothing is added here.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace marquetry::architecture {

struct LongFunction {
    std::string name; ///< "path: name"
    int lines = 0;
    auto operator<=>(const LongFunction&) const = default;
};

inline void PrintTo(const LongFunction& function, std::ostream* out) {
    *out << "{\"" << function.name << "\", " << function.lines << "}";
}

inline const std::vector<LongFunction> kLongFunctions = {
    {"app/cli/bank_report.cpp: printBank", 42},
    {"app/cli/schedule_command.cpp: scheduleReport", 46},
    {"app/gallery.cpp: Gallery", 41},
    {"app/icons.cpp: outlined", 45},
    {"engine/banking/conflict.cpp: assignCopies", 45},
    {"engine/datapath/datapath.cpp: folded", 51},
    {"engine/datapath/lower_datapath.cpp: lowered", 50},
    {"engine/egraph/explanation.cpp: assemble", 42},
    {"engine/egraph/saturate.cpp: step", 43},
    {"engine/lower_memory/banked_crossbar.cpp: tabulatePort", 43},
    {"engine/ir/memory_lanes.cpp: findDoubleWrite", 50},
    {"engine/ir/unit.cpp: toString", 48},
    {"engine/rules/lowering.cpp: declareOperators", 59},
    {"engine/rules/skeletons.cpp: coreShape", 46},
    {"engine/session/setup.cpp: makeSetup", 51},
    {"engine/spacetime/typing.cpp: judgement", 54},
    {"engine/term_extract/bound.cpp: splitBound", 46},
    {"engine/term_extract/build.cpp: problemOf", 45},
    {"tests/app/end_to_end_test.cpp: TEST_F(EndToEnd, ConvolutionsAreStreamedWhenTheSettingsAllow)",
     48},
    {"tests/app/end_to_end_test.cpp: TEST_F(EndToEnd, "
     "OnVggASharedUnitIsExplainedQuestionedPinnedAndReleased)",
     43},
    {"tests/app/end_to_end_test.cpp: TEST_F(EndToEnd, OpenRunPauseStepPinUndoExportVerify)", 50},
    {"tests/app/memories_window_test.cpp: TEST_F(MemoriesWindow, "
     "ABufferOfVggIsShownTriedChosenPinnedAndReleased)",
     66},
    {"tests/app/memories_window_test.cpp: TEST_F(MemoriesWindow, SlideTryChoosePinUndo)", 68},
    {"tests/app/streams_window_test.cpp: TEST_F(StreamsWindow, SlideSelectPinUndo)", 75},
    {"tests/banking/oracle.h: cyclesOf", 98},
    {"tests/cli/reliability/paths_test.cpp: hostileNames", 90},
    {"tests/device/device_file_errors_test.cpp: TEST(DeviceFile, NamesTheFieldThatIsWrong)", 41},
    {"tests/egraph/egraph_test.cpp: TEST(Rebuild, AgreesWithNaiveCongruenceClosure)", 41},
    {"tests/egraph/ematch_test.cpp: bruteForce", 43},
    {"tests/egraph/proof_test.cpp: mutate", 41},
    {"tests/egraph/saturate_test.cpp: TEST(Saturate, AgreesWithANaiveImplementation)", 43},
    {"tests/egraph/serialize_test.cpp: TEST(JsonErrors, AreNamed)", 44},
    {"tests/extract/brute_force.cpp: through", 66},
    {"tests/extract/metrics_test.cpp: TEST_P(GoldenRelu, AgreesWithTheReferenceAndWithEnumeration)",
     42},
    {"tests/frontend/parser_errors_test.cpp: TEST(ParserErrors, StatementsOfADesign)", 71},
    {"tests/lower_memory/memory_test.cpp: furtherMemories", 58},
    {"tests/artefact/rtl_check_test.cpp: TEST(RtlCheck, RefusesWhatActs)", 43},
    {"tests/ir/conv_stream_test.cpp: TEST(ConvStream, IsTheConvolution)", 42},
    {"tests/rules/rules_test.cpp: ruleCases", 49},
    {"tests/session/limits_test.cpp: TEST(ContradictoryPins, AreNamedAndOnlyThey)", 41},
    {"tests/session/session_threads_test.cpp: randomCommand", 50},
    {"tests/spacetime/exhaustive.h: produce", 51},
    {"tests/spacetime/program_test.cpp: TEST(Judgement, IllTypedProgramsAreRejected)", 45},
    {"tests/spacetime/program_test.cpp: TEST(Judgement, OfEveryOperator)", 43},
    {"tests/spacetime/random_streams.h: addOperator", 48},
    {"tests/lower_stream/kernel_bench.cpp: writeBench", 58},
    {"tests/lower_stream/kernel_bench.cpp: writeData", 45},
    {"tests/lower_stream/long/reshape_test.cpp: TEST(StreamReshape, "
     "LongPairsOfTypesPermuteThroughFifos)",
     41},
    {"tests/lower_stream/long/synthesis_test.cpp: TEST_F(Synthesis, IsBelowAetherlingAtEveryPoint)",
     48},
    {"tests/support/programs.cpp: otherSkeletonsText", 51},
    {"tests/widgets/snapshot_fixture.cpp: fillRest", 50},
    {"widgets/egraph/egraph_view_parts.cpp: createToolbar", 57},
    {"widgets/inspector/inspector_view.cpp: createButtons", 70},
    {"widgets/memories/bank_tables.cpp: frontRows", 48},
    {"widgets/memories/memories_view_choices.cpp: fillPinMenu", 47},
    {"widgets/memories/memories_view_parts.cpp: createBar", 46},
    {"widgets/memories/try_panel.cpp: TryPanel", 52},
    {"widgets/pins/pins_view.cpp: PinsView", 67},
};

} // namespace marquetry::architecture
