// Session files: what is written is read back, and whatever else is read is refused with its place.
#include "engine/session/session_file.h"

#include "engine/support/json.h"
#include "tests/session/session_harness.h"

namespace marquetry::session {
namespace {

using FileJson = nlohmann::ordered_json;

Settings everySetting() {
    Settings settings;
    settings.device = "xcu250";
    settings.clockMhz = 0.1;
    settings.bandwidth = 1e-300;
    settings.limits = {{"dsp", 64}, {"lut", 1.0 / 3}};
    settings.cost = design::CostModel::Published;
    settings.objective = design::Objective::Throughput;
    settings.batch = 4;
    settings.without = {"sharing", "streams", "tiling"};
    settings.seed = std::numeric_limits<std::uint64_t>::max();
    settings.seconds = 0.5;
    settings.maxIterations = 7;
    settings.maxEnodes = 12'345;
    return settings;
}

SessionFile everything() {
    SessionFile session;
    session.program = "/programs/a \"b\".mq";
    session.item = "two_layers";
    session.text = HeldText(std::string(kTwoLayers) + "// é \x01 \\ \"\n");
    session.settings = everySetting();
    session.pins = {{1, design::PinKind::Share, "Mv 64×576", "", true},
                    {2, design::PinKind::NeverShare, "Mv 64×576", "", false},
                    {3, design::PinKind::ForceTerm, "TiledMv[288]", "a", true},
                    {4, design::PinKind::ForbidTerm, "TiledMv[288]", "", true}};
    BankChoice& sobel = session.banks["sobel"];
    sobel.pins.maps = {{{3, 2}, 1, 9}, {{0, 1}, 4, 2}};
    sobel.pins.kind = banking::Kind::Lattice;
    sobel.pins.banks = 9;
    sobel.pins.block = 2;
    sobel.pins.alpha = {3, 2};
    sobel.pins.copies = 2;
    sobel.chosen = SchemeName{{{{1, 2}, 1, 5}}, 3};
    session.banks["all free"] = {};
    session.banks["fft"].pins.maps = {ir::parityMap({36, 1}), ir::parityMap({18, 0})};
    session.banks["fft"].pins.kind = banking::Kind::Xor;
    StreamChoice& fir = session.streams["fir"];
    fir.clocks = 12;
    fir.circuits[12] = {"TSeq 12 0 Int8", CircuitName{{.dsp = 1, .lut = 20.5}, 3}};
    fir.circuits[24] = {};
    session.memory = "sobel";
    session.stream = "fir";
    session.searched = true;
    session.window = {{"layout", "AAAA/w=="}, {"view", "memories"}};
    session.savedAs = "/sessions/one.mqs";
    return session;
}

Diagnostics refusal(const std::string& text) {
    const auto parsed = parseSession(text, "one.mqs");
    return parsed ? Diagnostics() : parsed.error();
}

/// Each says where, in which file, and what would be right.
void expectPlaced(const Diagnostics& mistakes, const std::string& what) {
    ASSERT_FALSE(mistakes.empty()) << what;
    for (const Diagnostic& mistake : mistakes) {
        EXPECT_EQ(mistake.file, "one.mqs") << what;
        EXPECT_TRUE(mistake.range.known()) << what;
        EXPECT_NE(mistake.message.find("expected"), std::string::npos) << mistake.message;
        EXPECT_FALSE(mistake.hint.empty()) << mistake.message;
    }
}

TEST(SessionFile, IsReadAsItWasWritten) {
    for (const SessionFile& session : {everything(), [] {
                                           SessionFile least;
                                           least.program = "a.mq";
                                           return least;
                                       }()}) {
        const std::string text = printSession(session);
        const auto read = parseSession(text, "one.mqs");
        ASSERT_TRUE(read) << format(read.error());
        EXPECT_EQ(*read, session);
        EXPECT_EQ(printSession(*read), text) << "equal values, equal bytes";
    }
}

TEST(SessionFile, CutShortAnywhereIsRefusedAtItsEnd) {
    const std::string whole = printSession(everything());
    const auto lines = std::ranges::count(whole, '\n');
    ASSERT_GT(lines, 80);
    for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
        const std::string cut = whole.substr(0, size);
        const Diagnostics mistakes = refusal(cut);
        ASSERT_EQ(mistakes.size(), 1U) << size;
        EXPECT_EQ(mistakes.front().code, "session-syntax") << size;
        EXPECT_EQ(mistakes.front().range.line, 1 + std::ranges::count(cut, '\n')) << size;
        expectPlaced(mistakes, std::to_string(size));
    }
}

/// What is there instead of each value: none makes another session of it without a word, but for
/// those of the same kind.
TEST(SessionFile, FieldsOfAnotherKindAreRefusedWhereTheyAre) {
    const FileJson whole = FileJson::parse(printSession(everything()));
    int refused = 0;
    const FileJson flat = whole.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        if (value.is_null()) // how it writes an object that holds nothing
            continue;
        const FileJson others[] = {
            nullptr, true, "", "word", -1, 0.5, FileJson::array({1}), FileJson::object({{"a", 1}})};
        for (const FileJson& other : others) {
            const bool number = value.is_number() && other.is_number();
            if (other.type() == value.type() || number)
                continue;
            FileJson changed = whole;
            changed[FileJson::json_pointer(pointer)] = other;
            const std::string text = changed.dump(2);
            const Diagnostics mistakes = refusal(text);
            expectPlaced(mistakes, pointer + " = " + other.dump());
            // On the line of the value, whose name is there, too; the mark and the version come
            // before all fields.
            const bool named = pointer != "/marquetry" && !mistakes.empty();
            if (named) {
                std::size_t begin = 0;
                for (int line = 1; line < mistakes.front().range.line; ++line)
                    begin = text.find('\n', begin) + 1;
                const std::string line = text.substr(begin, text.find('\n', begin) - begin);
                const std::string name = pointer.substr(pointer.rfind('/') + 1);
                const bool entry =
                    !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
                EXPECT_TRUE(entry || line.find('"' + name + '"') != std::string::npos)
                    << pointer << ": " << line;
            }
            ++refused;
        }
    }
    EXPECT_GT(refused, 300);
}

TEST(SessionFile, MistakesSayWhereAndWhatWasExpected) {
    const std::string text = R"({"marquetry": "session", "version": 1,
 "program": {"file": "é.mq", "text": ""}, "settings": {"é": 1, "clock": "fast",
  "objective": "beauty", "steps": 99999999999}, "pins": [{"kind": "share"}]})";
    const Diagnostics mistakes = refusal(text);
    ASSERT_EQ(mistakes.size(), 3U) << format(mistakes);
    EXPECT_EQ(mistakes[0].message, "'settings.clock' is \"fast\": expected a number");
    EXPECT_EQ(mistakes[0].range.line, 2);
    EXPECT_EQ(mistakes[0].range.column, 73);
    EXPECT_NE(mistakes[1].message.find("'settings.objective'"), std::string::npos);
    EXPECT_NE(mistakes[2].message.find("an integer from 0 to 2147483647"), std::string::npos);
    EXPECT_EQ(mistakes[2].range.line, 3);
}

TEST(SessionFile, PinsHaveAKindAndATarget) {
    for (const char* const pin : {R"({})", R"({"kind": "share"})", R"({"target": "Mv 2×2"})"}) {
        const Diagnostics mistakes =
            refusal(R"({"marquetry": "session", "version": 1, "program": {"file": "a.mq"},
                        "pins": [)" +
                    std::string(pin) + "]}");
        expectPlaced(mistakes, pin);
        EXPECT_EQ(mistakes.front().range.line, 2);
    }
}

TEST(SessionFile, OfALaterVersionIsRefusedWhateverElseItHolds) {
    const Diagnostics mistakes =
        refusal("{\"marquetry\": \"session\",\n \"version\": 2, \"program\": 7}");
    ASSERT_EQ(mistakes.size(), 1U);
    EXPECT_EQ(mistakes.front().code, "session-newer");
    EXPECT_EQ(mistakes.front().range.line, 2);
    expectPlaced(mistakes, "newer");
}

TEST(SessionFile, OtherFilesAreRefused) {
    for (const char* const text : {"", "design d {}", "[]", "{}", "null",
                                   R"({"marquetry": "0.1.0"})", R"({"marquetry": "session"})",
                                   "{\"a\": 1e999}", R"({"marquetry": "session", "version": 1})"})
        expectPlaced(refusal(text), text);
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    EXPECT_TRUE(hasCode(refusal(deep), "session-form"));
    EXPECT_FALSE(looksLikeSession("design d {}"));
    EXPECT_FALSE(looksLikeSession(R"({"marquetry": "0.1.0"})"));
    EXPECT_TRUE(looksLikeSession(printSession(everything())));
}

TEST(SessionFile, MembersOfNoMeaningAreLeftOut) {
    FileJson json = FileJson::parse(printSession(everything()));
    json["colour"] = "blue";
    json["settings"]["mood"] = {1, 2};
    const auto read = parseSession(json.dump(), "one.mqs");
    ASSERT_TRUE(read) << format(read.error());
    EXPECT_EQ(*read, everything());
}

TEST(SessionFile, BytesThatAreNoTextAreReplaced) {
    SessionFile session = everything();
    const std::string text = "// caf\xe9\n";
    session.text = HeldText(text);
    const auto read = parseSession(printSession(session), "one.mqs");
    ASSERT_TRUE(read) << format(read.error());
    EXPECT_NE(*read->text, text);
    EXPECT_EQ(*read->text, asHeld(text)) << "and the file is known to be the same";
}

TEST(SessionFile, WhatIsShownIsNoDecision) {
    SessionFile other = everything();
    other.window.clear();
    other.memory = other.stream = other.savedAs = "";
    other.searched = false;
    EXPECT_TRUE(sameDecisions(everything(), other));
    EXPECT_NE(everything(), other);
    other.banks.erase("all free");
    EXPECT_FALSE(sameDecisions(everything(), other));
}

} // namespace
} // namespace marquetry::session
