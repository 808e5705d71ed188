// Each operator of an imported network computed from a runtime's values, and compared with them.
//
// A value that differs is one step away at an exact half, or so near to one that the runtime's
// float32 cannot tell; everything else is a fault.
#pragma once

#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

/// Tensors by name: integers in the file's order.
using Golden = std::map<std::string, std::vector<std::int64_t>>;

class NodeByNode {
public:
    NodeByNode(const Imported& network, const Golden& golden) : network_(network), golden_(golden) {
        for (const ImportNote& note : network.notes)
            notes_[note.value.index()].push_back(&note);
    }

    void run() {
        for (const ir::Value& value : network_.program.values) {
            values_.push_back(computed(value));
            for (const ImportNote* note : notes_[value.id.index()])
                compare(*note);
        }
    }

    std::size_t elements = 0;
    std::size_t ties = 0;     ///< one step away, at an exact half
    std::size_t nearTies = 0; ///< one step away, where a float32 cannot tell a half
    std::vector<std::string> faults;

private:
    ir::Tensor computed(const ir::Value& value) {
        if (value.kind == ir::ValueKind::Input)
            return {value.type,
                    std::vector<std::int64_t>(static_cast<std::size_t>(value.type.elements()))};
        if (value.kind == ir::ValueKind::Weight)
            return *ir::loadSource(value);
        std::vector<const ir::Tensor*> operands;
        for (const ir::ValueId id : value.operands)
            operands.push_back(&values_[id.index()]);
        auto result = ir::apply(value.op, operands, value.params);
        ENGINE_ASSERT(result.has_value(), "operands of an imported program are as they must be");
        return *result;
    }

    void compare(const ImportNote& note) {
        const auto found = golden_.find(note.tensor);
        if (found == golden_.end())
            return;
        ir::Tensor& ours = values_[note.value.index()];
        if (found->second.size() != ours.data.size())
            return faults.push_back(note.tensor + " has another number of elements");
        const auto theirs = inProgramOrder(found->second, note.layout);
        const bool isInput = network_.program.value(note.value).kind == ir::ValueKind::Input;
        for (std::size_t k = 0; k < theirs.size() && !isInput; ++k) {
            ++elements;
            if (ours.data[k] == theirs[k])
                continue;
            const std::string where = note.tensor + " element " + std::to_string(k);
            if (std::abs(ours.data[k] - theirs[k]) != 1)
                faults.push_back(where + " is more than one step away");
            else if (!note.requantised)
                faults.push_back(where + " differs, and nothing is rounded there");
            else
                judge(exactValue(*note.requantised, note, k), where);
        }
        ours.data = theirs;
    }

    /// What was rounded.
    Rational exactValue(const ExactMeaning& meaning, const ImportNote& note, std::size_t k) const {
        const std::int64_t flat = flatIndices(note.layout)[k];
        Rational value = meaning.addend.at(flat);
        for (const ExactTerm& term : meaning.terms) {
            const auto held = inFileOrder(values_[term.value.index()].data, term.layout);
            value = value + term.factor.at(flat) * Rational(held[static_cast<std::size_t>(flat)]);
        }
        return value;
    }

    /// A value that differs is half between two integers, or so near that floats cannot tell: the
    /// other side computes with float32, four roundings of 2^-24 from the products to the quotient.
    void judge(const Rational& value, const std::string& where) {
        const Rational half =
            Rational(value.floor()) + Rational(quant::Integer(1), quant::Integer(2));
        const Rational away = (value - half).abs();
        if (away.isZero())
            ++ties;
        else if (away <= value.abs() * Rational(quant::Integer(1), quant::powerOfTwo(22)))
            ++nearTies;
        else
            faults.push_back(where + " is exactly " + value.text());
    }

    const Imported& network_;
    const Golden& golden_;
    std::map<std::size_t, std::vector<const ImportNote*>> notes_;
    std::vector<ir::Tensor> values_;
};

} // namespace marquetry::frontend::onnx
