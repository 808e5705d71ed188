// The state of one import: values of the file's tensors, the program made so far, faults, notes.
//
// Nodes are looked at in topological order. Each gives its outputs a value, or fails with faults;
// what reads a failed value is passed over, so that every mistake is told once. Thread rule: one
// import's own.
#pragma once

#include "engine/frontend/onnx/faults.h"
#include "engine/frontend/onnx/graph_value.h"
#include "engine/frontend/onnx/imported.h"
#include "engine/frontend/program_builder.h"

#include <set>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

class Importer {
public:
    Importer(OnnxModel model, const ImportOptions& options, Faults& faults);

    const OnnxModel& model() const { return model_; }
    const ImportOptions& options() const { return options_; }
    Faults& faults() { return faults_; }
    ProgramBuilder& builder() { return builder_; }

    GraphValue& value(int tensor) { return values_[static_cast<std::size_t>(tensor)]; }
    const std::string& tensorName(int tensor) const {
        return model_.tensors[static_cast<std::size_t>(tensor)].name;
    }

    /// A tensor of no name for what is inside an operator; the first three.
    int scratch(std::size_t k) const { return static_cast<int>(model_.tensors.size() - 3 + k); }

    /// Whether as many weights more are within what a program may have.
    bool takesWeights(std::int64_t count) {
        weights_ += count;
        return weights_ <= kMostWeights;
    }

    /// Counts what an import makes that no limit of the file bounds: numbers computed of constants,
    /// scales and offsets of channels, factors that are looked for. False once there is too much.
    bool spend(std::int64_t numbers, std::int64_t scales, std::int64_t factors);
    bool isExhausted() const { return exhausted_; }

    /// The first note of a tensor counts.
    void note(ImportNote note) {
        if (noted_.insert(note.tensor).second)
            notes_.push_back(std::move(note));
    }
    void warn(std::string message) { warnings_.push_back(std::move(message)); }
    /// Of a result that is not exact, and how far it may be from it.
    void warnOfApproximation(std::string message) { approximations_.push_back(std::move(message)); }
    std::vector<ImportNote> takeNotes() { return std::move(notes_); }
    std::vector<std::string>& warnings() { return warnings_; }
    std::vector<std::string>& approximations() { return approximations_; }

private:
    static constexpr std::int64_t kMostWeights = std::int64_t{1} << 26;
    static constexpr std::int64_t kMostComputed = std::int64_t{1} << 25;
    static constexpr std::int64_t kMostScales = std::int64_t{1} << 21;
    static constexpr std::int64_t kMostFactors = std::int64_t{1} << 17;

    OnnxModel model_;
    std::int64_t weights_ = 0;
    std::int64_t numbers_ = 0, scales_ = 0, factors_ = 0; ///< spent
    bool exhausted_ = false;
    const ImportOptions& options_;
    Faults& faults_;
    ProgramBuilder builder_;
    std::vector<GraphValue> values_;
    std::vector<ImportNote> notes_;
    std::set<std::string> noted_;
    std::vector<std::string> warnings_, approximations_;
};

/// One node being looked at.
class NodeUse {
public:
    NodeUse(Importer& importer, const OnnxNode& node) : importer_(importer), node_(node) {}

    Importer& importer() const { return importer_; }
    ProgramBuilder& builder() const { return importer_.builder(); }
    const OnnxNode& node() const { return node_; }

    std::size_t inputs() const { return node_.inputs.size(); }
    bool has(std::size_t k) const { return k < node_.inputs.size() && node_.inputs[k] >= 0; }
    /// Of an input that it has.
    const GraphValue& input(std::size_t k) const { return importer_.value(node_.inputs[k]); }
    bool isKnown(std::size_t k) const;
    bool isAffine(std::size_t k) const;
    /// Else a fault, and nothing: `what` is "the weights".
    const KnownTensor* known(std::size_t k, const std::string& what) const;
    const AffineTensor* affine(std::size_t k, const std::string& what) const;

    void give(GraphValue value, std::size_t output = 0) const;
    void give(KnownTensor known, std::size_t output = 0) const;
    void give(AffineTensor affine, std::size_t output = 0) const;
    /// Name of the tensor that an output gives a value, or of the node.
    std::string tensorName(std::size_t output = 0) const;

    /// A float attribute; nothing and a fault where it is infinite or no number.
    std::optional<Rational> number(const std::string& key, double fallback) const;

    /// "the node 'x' (Conv) <message>". Gives nothing, to be returned.
    std::nullopt_t fail(const std::string& code, const std::string& message,
                        const std::string& hint = {}) const;

    /// An operator of the program; a fault when it cannot be.
    std::optional<ir::ValueId> emit(const std::string& name, ir::OpKind kind,
                                    std::vector<ir::ValueId> operands,
                                    const ir::OpParams& params = {}) const;
    std::optional<ir::ValueId> emitWeight(const std::string& name, ir::Type type,
                                          std::vector<std::int64_t> values) const;

private:
    Importer& importer_;
    const OnnxNode& node_;
};

} // namespace marquetry::frontend::onnx
