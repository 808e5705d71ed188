#include "engine/session/command_line.h"

#include <gtest/gtest.h>

namespace marquetry::session {
namespace {

TEST(CommandLine, SaysOnlyWhatDiffersFromTheDefaults) {
    CommandContext context;
    context.file = "a.mq";
    EXPECT_EQ(commandLine(session::Run{}, context), "marquetry explore a.mq --device arria10");
    context.iterations = 3;
    EXPECT_EQ(commandLine(StepOnce{}, context),
              "marquetry explore a.mq --device arria10 --steps 4");
}

TEST(CommandLine, WritesSettingsAndEnabledPinsOnOneLine) {
    CommandContext context;
    context.file = "my file.mq";
    Settings settings;
    settings.limits = {{"dsp", 100}, {"bram", 20.5}};
    settings.cost = design::CostModel::PublishedOpen;
    settings.without = {"padding", "sharing", "streams"};
    settings.seconds = 5;
    context.pins = {{1, design::PinKind::Share, "Mv 64×576", "", true},
                    {2, design::PinKind::Share, "off", "", false}};
    const std::string line = commandLine(ChangeSettings{settings}, context);
    EXPECT_TRUE(line.starts_with("marquetry explore 'my file.mq' --device arria10 "
                                 "--limit bram=20.5,dsp=100 --cost published-open "
                                 "--without padding,sharing,streams --pins '{"))
        << line;
    EXPECT_NE(line.find("Mv 64×576"), std::string::npos);
    EXPECT_EQ(line.find("\"off\""), std::string::npos);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_TRUE(line.ends_with(" --time 5"));
}

TEST(CommandLine, OfRulesPointsAndQuestions) {
    CommandContext context;
    context.file = "a.mq";
    context.settings.without = {"padding", "tiling"};
    const std::string explore = "marquetry explore a.mq --device arria10";
    EXPECT_EQ(commandLine(SwitchRules{"fusion", false}, context),
              explore + " --without fusion,padding,tiling");
    EXPECT_EQ(commandLine(SwitchRules{"tiling", true}, context), explore + " --without padding");
    context.settings = {};
    ChoosePoint choose;
    choose.point.resources.dsp = 64;
    EXPECT_EQ(commandLine(choose, context), explore + " --limit dsp=64");
    choose.point.frames = 8;
    EXPECT_EQ(commandLine(choose, context), explore + " --limit dsp=64 --batch 8");
    choose.point.resources = {64, 1000.2, 0, 2.5};
    EXPECT_EQ(commandLine(choose, context),
              explore + " --limit bram=2.5,dsp=64,lut=1001 --batch 8");
    const design::Pin pin{0, design::PinKind::Share, "Mv 64×576", "", true};
    EXPECT_EQ(commandLine(AskWhatIf{pin}, context), commandLine(AddPin{pin}, context));
    EXPECT_EQ(commandLine(AskWhatIf{}, context), "");
    EXPECT_EQ(commandLine(AskWithoutRule{"R-TILE-MV"}, context), explore + " --without R-TILE-MV");
    EXPECT_EQ(commandLine(AskWithoutRule{}, context), "");
}

TEST(CommandLine, OfExportsFindsTheVeryDesignOrIsNone) {
    CommandContext context;
    context.file = "a.mq";
    context.iterations = 3;
    const Export design{"out", "vivado"};
    const std::string begin = "marquetry export a.mq --device arria10";
    const std::string end = " --target vivado --out out";
    EXPECT_EQ(commandLine(design, context), begin + end);
    context.settings.maxIterations = 7;
    EXPECT_EQ(commandLine(design, context), begin + " --steps 7" + end);
    context.foundBy = FoundBy::Steps;
    EXPECT_EQ(commandLine(design, context), begin + " --steps 3" + end);
    for (const FoundBy none : {FoundBy::Part, FoundBy::Choice}) {
        context.foundBy = none;
        EXPECT_EQ(commandLine(design, context), "");
    }
    EXPECT_EQ(commandLine(Export{"out", "vivado", "not there"}, context), "");
    context.held = "my DESIGN.json";
    EXPECT_EQ(commandLine(design, context), "marquetry export 'my DESIGN.json'" + end);
}

TEST(CommandLine, QuotesForTheShell) {
    EXPECT_EQ(commandLine(OpenFile{"it's.mq", "b c"}, {}),
              "marquetry open 'it'\\''s.mq' --item 'b c'");
}

TEST(CommandLine, IsEmptyWhereThereIsNone) {
    CommandContext context;
    EXPECT_EQ(commandLine(session::Run{}, context), "");
    context.file = "a.mq";
    EXPECT_EQ(commandLine(Undo{}, context), "");
}

} // namespace
} // namespace marquetry::session
