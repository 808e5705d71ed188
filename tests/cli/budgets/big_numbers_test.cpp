// Every operator and every place for a number, with numbers that are too big for something: each
// command ends with an answer or with the limit it met.
#include "tests/cli/budgets/budget_fixture.h"

#include <array>
#include <cmath>

namespace marquetry::cli {
namespace {

struct Program {
    const char* name;
    /// $N: the number, $H: half of it, $M: one less, $A · $B: it as a product.
    const char* body;
};

constexpr std::array kStreams = std::to_array<Program>({
    {"wire", "input x : Seq $N u8; output y = x;"},
    {"map", "input x : Seq $N u8; output y = map(fn v -> add(v, 3), x);"},
    {"product", "input x : Seq $N u8; output y = map(fn v -> mul(v, v), x);"},
    {"two", "input x : Seq $N u8; output y = map2(sub, x, x);"},
    {"if", "input x : Seq $N u8; output y = map(fn v -> if(lt(v, 3), v, lsl(v, 1)), x);"},
    {"div", "input x : Seq $N u8; output y = map(fn v -> div(v, 43), x);"},
    {"shifter", "input x : Seq $N u8; output y = map2(lsr, x, x);"},
    {"abs", "input x : Seq $N i8; output y = map(fn v -> min(abs(v), max(v, 2)), x);"},
    {"bits", "input x : Seq $N bit; output y = map(fn v -> and(not(v), or(v, v)), x);"},
    {"eq", "input x : Seq $N u8; output y = map2(eq, x, x);"},
    {"pairs", "input x : Seq $N (u8, u16); output y = map(fst, map2(tuple, map(snd, x), "
              "map(fst, x)));"},
    {"append", "input x : Seq $N u8; output y = map2(append, map2(stuple, x, x), x);"},
    {"shift", "input x : Seq $N u8; output y = map2(add, x, shift(1, x));"},
    {"shift_far", "input x : Seq $N u8; output y = map2(add, x, shift($H, x));"},
    {"shift_out", "input x : Seq $N u8; output y = shift($M, x);"},
    {"shift_beyond", "input x : Seq 16 u8; output y = shift($N, x);"},
    {"shift_rows", "input x : Seq $A Seq $B u8; output y = shift(1, map(fn r -> shift(2, r), x));"},
    {"counter", "output y = counter($N, 1 : u8);"},
    {"counter_wide", "output y = counter($N, 3 : i32);"},
    {"counter_step", "input x : Seq 16 i32; output y = map2(add, x, counter(16, $N : i32));"},
    {"counter_with", "input x : Seq $N u8; output y = map2(add, x, shift($H, counter($N, 1 : "
                     "u8)));"},
    {"counter_part", "output y = partition($N, 1, select($M, counter($N, 1 : u8)));"},
    {"counter_sum", "output y = reduce(add, counter($N, 1 : u8));"},
    {"up", "input x : Seq 1 u8; output y = up($N, x);"},
    {"up_const", "output y = up($N, const([3] : Seq 1 u8));"},
    {"const", "input x : Seq $N u8; output y = map(fn v -> const(3 : u8), x);"},
    {"select", "input x : Seq $N u8; output y = select($H, x);"},
    {"partition", "input x : Seq $N u8; output y = map(fn r -> reduce(add, r), partition($A, $B, "
                  "x));"},
    {"columns", "input x : Seq $B Seq $A u8; output y = partition($A, $B, unpartition(x));"},
    {"reduce", "input x : Seq $N u8; output y = reduce(assoc fn a b -> add(a, b), x);"},
    {"reduce_mul", "input x : Seq $N i32; output y = reduce(mul, x);"},
    {"tuple", "input x : Seq $N u8; output y = tuple_to_seq(seq_to_tuple(x));"},
    {"stuple", "input x : Seq 4 STuple $N u8; output y = x;"},
    {"window", "input x : Seq $N u8; let s = shift($H, x); output y = unpartition(map(fn w -> "
               "reduce(add, w), map(tuple_to_seq, partition($N, 1, map2(stuple, s, x)))));"},
    {"literal", "input x : Seq 16 i32; output y = map(fn v -> add(mul(v, $N), $N), x);"},
    {"inside", "input x : Seq $N u8; output y = map(fn v -> v, map(fn v -> add(v, 1), x));"},
    {"hidden", "input x : Seq $N u8; output y = unpartition(map(fn v -> reduce(add, map(fn w -> "
               "mul(w, w), up($N, v))), partition($N, 1, x)));"},
    {"squares", "input x : Seq $N Seq $N u8; output y = x;"},
});

constexpr std::array kDesigns = std::to_array<Program>({
    {"relu", "input x : i8[$N] = random(seed: 1); output y = relu(x);"},
    {"many", "input x : i32[$N] = zeros; let a = add(x, x); output y = mul(sub(a, x), a);"},
    {"matrix", "input x : i8[$A, $B] = zeros; output y = transpose(x);"},
    {"mv", "input x : i8[$N] = zeros; weight w : i8[1, $N] = random(seed: 1); "
           "output y = mv(w, x);"},
    {"rows", "input x : i8[1] = zeros; weight w : i8[$N, 1] = zeros; output y = mv(w, x);"},
    {"dot", "input x : i8[$N] = zeros; output y = dot(x, x);"},
    {"mm", "input x : i8[40000, 1000] = zeros; weight w : i8[40000, 1000] = zeros; "
           "output y = mm(x, w);"},
    {"bmm", "input x : i8[$N, 1, 1] = zeros; weight w : i8[$N, 1, 1] = zeros; "
            "output y = bmm(x, w);"},
    {"conv", "input x : i8[$N, 1, 1] = zeros; weight w : i8[1, 1, 1, 1] = zeros; "
             "output y = conv(x, w);"},
    {"channels", "input x : i8[1, 1, $N] = zeros; weight w : i8[1, 1, 1, $N] = zeros; "
                 "output y = conv(x, w);"},
    {"pad", "input x : i8[4, 4, 1] = zeros; weight w : i8[1, 3, 3, 1] = zeros; "
            "output y = conv(x, w, pad: $N);"},
    {"pad_some", "input x : i8[4, 4, 1] = zeros; weight w : i8[1, 3, 3, 1] = zeros; "
                 "output y = conv(x, w, pad: 10000);"},
    {"stride", "input x : i8[4, 4, 1] = zeros; weight w : i8[1, 3, 3, 1] = zeros; "
               "output y = conv(x, w, stride: $N);"},
    {"dwconv", "input x : i8[1, 1, $N] = zeros; weight w : i8[$N, 1, 1] = zeros; "
               "output y = dwconv(x, w);"},
    {"conv1d", "input x : i8[1, $N] = zeros; weight w : i8[$N] = zeros; "
               "output y = conv1d_w(x, w);"},
    {"conv1d_h", "input x : i8[$N, 1] = zeros; weight w : i8[3] = zeros; "
                 "output y = conv1d_h(x, w);"},
    {"leaky", "input x : i8[$N] = zeros; output y = leaky(x, num: $N, shift: 4);"},
    {"requant", "input x : i32[16] = zeros; output y = requant(x, mul: $N, shift: 4, zero: $N);"},
    {"maxpool", "input x : i8[$A, $B, 1] = zeros; output y = maxpool(x, size: $A);"},
    {"maxpool_out", "input x : i8[4, 4, 1] = zeros; output y = maxpool(x, size: $N);"},
    {"pad_after", "input x : i8[4, 4, 1] = zeros; output y = maxpool(x, size: 2, pad_after: $N);"},
    {"sumpool", "input x : i8[8000, 8000, 1] = zeros; "
                "output y = sumpool(x, size: 4000, stride: 1);"},
    {"slice", "input x : i8[$N] = zeros; output y = slice(x, axis: 0, from: $H, to: $N);"},
    {"concat", "input x : i8[$N] = zeros; output y = concat(x, x, axis: 0);"},
    {"reshape", "input x : i8[$N] = zeros; output y = permute(reshape(x, dims: [$A, $B]), "
                "order: [1, 0]);"},
    {"softmax", "input x : i8[1, $N] = zeros; output y = softmax(x);"},
    {"unused", "input x : i8[4] = zeros; weight w : i8[$N] = random(seed: 1); output y = relu(x);"},
    {"random", "input x : i32[4] = random(seed: $N, lo: 0, hi: $M); output y = relu(x);"},
    {"dims", "input x : i8[$N, $N, $N] = zeros; output y = relu(x);"},
});

constexpr std::array kMemories = std::to_array<Program>({
    {"size", "array a : i32[$N]; for i in 0 .. $N { read a[i]; }"},
    {"par", "array a : i32[$N] ports 2; for i in 0 .. $N par 5 { read a[i]; write a[i]; }"},
    {"par_all", "array a : i32[$N]; for i in 0 .. $N par $N { read a[i]; }"},
    {"step", "array a : i32[$N]; for i in 0 .. $N step 3 par 4 { read a[i]; }"},
    {"step_all", "array a : i32[16]; for i in 0 .. 16 step $N { read a[i]; }"},
    {"loop", "array a : i32[16]; for i in 0 .. $N par 4 { read a[i], a[0]; }"},
    {"loops", "array a : i32[16]; for i in 0 .. $N, j in 0 .. $N, k in 0 .. $N { read a[?r()]; "
              "write a[i]; }"},
    {"factor", "array a : i32[$N]; for i in 0 .. 2 par 2 { read a[$M*i]; write a[$M - $M*i]; }"},
    {"square", "array a : i32[$A, $B]; for i in 0 .. $A par 2, j in 0 .. $B par 2 { read a[i, j], "
               "a[i, j+1]; }"},
    {"stencil", "array a : i32[30000, 30000]; for i in 0 .. 29998, j in 0 .. 29998 { read a[i, j], "
                "a[i, j+2], a[i+1, j+1], a[i+2, j], a[i+2, j+2]; }"},
    {"flat", "array a : i32[$N] bank flat(4, 1, [1]); for i in 0 .. $N par 4 { read a[i]; }"},
    {"flat_all", "array a : i32[$N] bank flat($N, 1, [1]); for i in 0 .. $N par 4 { read a[i]; }"},
    {"block", "array a : i32[$N] bank flat(4, $N, [1]); for i in 0 .. $N par 4 { read a[i]; }"},
    {"alpha", "array a : i32[$N] bank flat(4, 1, [$N]); for i in 0 .. $N par 4 { read a[i]; }"},
    {"hierarchical", "array a : i32[$A, $B] bank hierarchical([2, $A], [1, 1], [1, 1]); "
                     "for i in 0 .. $A par 2, j in 0 .. $B { read a[i, j]; }"},
    {"copies", "array a : i32[16] copies $N; for i in 0 .. 16 par 4 { read a[i]; }"},
    {"indirect", "array a : i32[$N]; for i in 0 .. $N par 2 { read a[?r(i)], a[?r(i)+1]; }"},
    {"clash", "array a : i32[$N]; for i in 0 .. $N, j in 0 .. $N par 2 { write a[i], a[j]; }"},
    {"nests", "array a : i32[$N]; for i in 0 .. $N par 2 { read a[i]; } "
              "for i in 0 .. $N par 3 { write a[3*i]; }"},
});

constexpr std::array<std::int64_t, 3> kNumbers{2147483647, 1000000000, 100000000};

/// The product of two factors, as near to each other as they can be.
std::pair<std::int64_t, std::int64_t> factors(std::int64_t n) {
    auto a = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
    while (n % a != 0)
        --a;
    return {a, n / a};
}

std::string with(std::string text, std::int64_t n) {
    const auto [a, b] = factors(n);
    const std::array<std::pair<const char*, std::int64_t>, 5> meanings{
        {{"$N", n}, {"$H", n / 2}, {"$M", n - 1}, {"$A", a}, {"$B", b}}};
    for (const auto& [mark, value] : meanings) {
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
            text.replace(at, 2, std::to_string(value));
    }
    return text;
}

class BigNumbers : public Budget {
protected:
    /// `arguments` behind the file.
    template <class Programs>
    void sweep(const std::string& kind, const Programs& programs, const std::string& command,
               const std::vector<std::string>& arguments) const {
        for (const Program& program : programs) {
            for (const std::int64_t n : kNumbers) {
                const std::string file = write(kind + " p { " + with(program.body, n) + " }");
                std::vector<std::string> words{command, file};
                for (const std::string& argument : arguments)
                    words.push_back(with(argument, n));
                const test::TemporaryFolder out;
                if (command == "run" || command == "export")
                    words.insert(words.end(), {"--out", out / "out"});
                expectAnswered(run(words),
                               command + " of " + program.name + " with " + std::to_string(n));
                if (command == "check")
                    continue;
                if (std::string(program.body).find('$') == std::string::npos)
                    break;
            }
        }
    }
};

const std::vector<std::string> kSoon{"--time", "0.1"};

std::vector<std::string> soon(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), kSoon.begin(), kSoon.end());
    return arguments;
}

TEST_F(BigNumbers, StreamsAreChecked) {
    sweep("stream", kStreams, "check", {});
}
TEST_F(BigNumbers, StreamsAreScheduledAtOneElementAClock) {
    sweep("stream", kStreams, "schedule", soon({"--throughput", "1"}));
}
TEST_F(BigNumbers, StreamsAreScheduledInOneClock) {
    sweep("stream", kStreams, "schedule", soon({"--clocks", "1"}));
}
TEST_F(BigNumbers, StreamsAreScheduledInAsManyClocks) {
    sweep("stream", kStreams, "schedule", soon({"--clocks", "$N"}));
}
TEST_F(BigNumbers, StreamsAreScheduledInTheMostClocks) {
    sweep("stream", kStreams, "schedule", soon({"--clocks", "963761198400"}));
}
TEST_F(BigNumbers, StreamsAreBanked) {
    sweep("stream", kStreams, "bank", kSoon);
}
TEST_F(BigNumbers, StreamsAreExported) {
    sweep("stream", kStreams, "export", soon({"--target", "verilog", "--throughput", "1"}));
}

TEST_F(BigNumbers, DesignsAreChecked) {
    sweep("design", kDesigns, "check", {});
}
TEST_F(BigNumbers, DesignsAreExplored) {
    sweep("design", kDesigns, "explore", kSoon);
}
TEST_F(BigNumbers, DesignsAreBanked) {
    sweep("design", kDesigns, "bank", kSoon);
}

TEST_F(BigNumbers, MemoriesAreChecked) {
    sweep("memory", kMemories, "check", {});
}
TEST_F(BigNumbers, MemoriesAreBanked) {
    sweep("memory", kMemories, "bank", kSoon);
}
TEST_F(BigNumbers, MemoriesAreExported) {
    sweep("memory", kMemories, "export", {"--target", "verilog"});
}

/// What the interpreter is asked for without a number of elements that makes it work for seconds.
TEST_F(BigNumbers, WhatIsTooMuchToInterpretIsRefused) {
    for (const char* body :
         {"output y = counter($N, 1 : u8);", "output y = up($N, const([3] : Seq 1 u8));",
          "output y = reduce(add, counter($N, 1 : u8));",
          "let c = counter(100000, 1 : i32); output y = unpartition(map(fn v -> reduce(add, "
          "map(fn w -> mul(w, w), unpartition(map(fn u -> up(100000, u), partition(10000, 1, "
          "up(10000, v)))))), partition(100000, 1, c)));"}) {
        const std::string file = write("stream p { " + with(body, 2147483647) + " }");
        const Ended ended = run({"run", file, "--out", folder_ / "out"});
        EXPECT_EQ(ended.status, kInputError) << body;
        EXPECT_THAT(ended.said, ::testing::HasSubstr("[too-large]")) << body;
    }
    for (const Program& program : kDesigns) {
        const std::string text = with(program.body, 2147483647);
        if (text == program.body)
            continue;
        const std::string file = write("design p { " + text + " }");
        expectAnswered(run({"run", file, "--out", folder_ / "out"}), program.name);
    }
}

TEST_F(BigNumbers, ARefusalNamesWhatWasAskedForAndTheLimit) {
    const auto said = [&](const std::string& body, std::vector<std::string> words) {
        words.insert(words.begin() + 1, write("stream p { " + body + " }"));
        return run(words).said;
    };
    EXPECT_THAT(
        said("input x : Seq 2147483647 u8; output y = x;",
             {"export", "--target", "verilog", "--throughput", "1", "--out", folder_ / "out"}),
        ::testing::HasSubstr("to interpret stream 'p' takes 2147483647 elements at the "
                             "same time; the limit is 134217728 [too-large]\n  hint: "));
    EXPECT_THAT(
        said("input x : Seq 1 u8; output y = up(100000000, x);",
             {"export", "--target", "verilog", "--throughput", "1", "--out", folder_ / "out"}),
        ::testing::HasSubstr("the test vectors of stream 'p' take 200000001 lines; the limit is "
                             "134217728 [too-large]\n  hint: "));
    // The output is narrow, what it is made of is not.
    EXPECT_THAT(said("input x : Seq 100000000 u8; output y = map(fn r -> reduce(add, r), "
                     "partition(10000, 10000, x));",
                     {"schedule", "--clocks", "1"}),
                ::testing::HasSubstr("hardware: none, the datapath of the circuit has 100000000 "
                                     "words or more; the limit is 262144"));
    EXPECT_THAT(said("input x : Seq 2147483647 u8; output y = x;", {"schedule", "--clocks", "1"}),
                ::testing::HasSubstr("the output of Seq 2147483647 u8 in 1 clocks has 17179869176 "
                                     "bits side by side; the limit is 1048576 [too-large]"));
}

} // namespace
} // namespace marquetry::cli
