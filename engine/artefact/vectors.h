// Test vectors: inputs of a program with the outputs the reference interpreter gives.
//
// The first frame of vector 0 is the program's default inputs when every input has one; the others
// are drawn over the whole range of each input's scalar, input after input, from SplitMix64(seed +
// number of the frame).
// Errors: those of the interpreter; too-large (more than kMaxVectorBytes of text). Thread rule:
// pure but for reading the program's files.
#pragma once

#include "engine/ir/interpreter.h"
#include "engine/lower_design/plan.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// Of a run: the elements of its frames one after another.
struct TestVector {
    std::map<std::string, ir::Tensor> inputs;  ///< by input name
    std::map<std::string, ir::Tensor> outputs; ///< by output name
};

struct TestVectors {
    std::vector<TestVector> vectors;
    std::vector<ir::Tensor> values; ///< of the first frame; index: ValueId
};

struct VectorParams {
    int vectors = 1;
    std::uint64_t seed = 1;
    std::int64_t frames = 1; ///< of a vector
};

/// All values of a frame, counted through all vectors; index: ValueId.
Result<std::vector<ir::Tensor>> valuesOf(const ir::Program& program, std::uint64_t seed,
                                         std::int64_t frame, std::stop_token stop = {});

Result<TestVectors> makeVectors(const ir::Program& program, const VectorParams& params,
                                std::stop_token stop = {});

/// A tensor as 64-bit beats, one hex line each; the last beat zero-padded.
std::string beatLines(const ir::Tensor& tensor);

/// The files the testbenches read: name → text, all vectors one after another.
std::map<std::string, std::string> vectorFiles(const RtlPlan& plan, const TestVectors& vectors);

} // namespace marquetry::hdl
