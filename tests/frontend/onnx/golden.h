// Published networks and the values that others computed for them; they are no part of the project.
//
// The environment variable MARQUETRY_MODELS names their folder.
#pragma once

#include "engine/support/files.h"
#include "engine/support/text_stream.h"
#include "tests/frontend/onnx/node_by_node.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

/// Without it there is nothing to test, which is a failure.
inline std::string modelsFolder() {
    const char* const folder = std::getenv("MARQUETRY_MODELS");
    EXPECT_TRUE(folder) << "MARQUETRY_MODELS does not name the folder of published networks";
    return folder ? folder : "";
}

inline std::vector<std::int64_t> productDims(const std::string& text) {
    std::vector<std::int64_t> dims;
    TextIn in(text.substr(1));
    for (std::string part; std::getline(in, part, ',');)
        dims.push_back(std::stoll(part));
    return dims;
}

/// What tensors.tsv lists: file, type, shape, name; floats are left out.
inline Golden readGolden(const std::string& folder) {
    Golden golden;
    TextIn list(files::read(folder + "/tensors.tsv").value_or(""));
    for (std::string line; std::getline(list, line);) {
        TextIn fields(line);
        std::string file;
        std::string type;
        std::string shape;
        std::string name;
        std::getline(fields, file, '\t');
        std::getline(fields, type, '\t');
        std::getline(fields, shape, '\t');
        std::getline(fields, name);
        if (type != "int8" && type != "uint8")
            continue;
        const ir::Scalar scalar = type == "int8" ? ir::Scalar::I8 : ir::Scalar::U8;
        const auto tensor = ir::loadTensorFile(folder + "/" + file, {scalar, productDims(shape)});
        EXPECT_TRUE(tensor) << file;
        if (tensor)
            golden[name] = tensor->data;
    }
    return golden;
}

} // namespace marquetry::frontend::onnx
