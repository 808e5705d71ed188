#include "app/cli/value_files.h"

namespace marquetry::cli {

namespace {

struct ListedValue {
    std::string name;
    std::string file; ///< without ending
    ir::Tensor tensor;
    std::string layout;
};

std::string layoutName(std::size_t rank, bool channelsFirst) {
    if (rank == 4)
        return channelsFirst ? "NCHW" : "NHWC";
    if (rank == 3)
        return channelsFirst ? "NCW" : "HWC";
    return "row-major";
}

std::vector<ListedValue> valuesOf(const ir::Program& program, const ir::InterpreterResult& result) {
    std::vector<ListedValue> values;
    for (const ir::Value& value : program.values) {
        std::string file = value.name;
        for (char& c : file)
            c = c == '#' ? '.' : c;
        const ir::Tensor& tensor = result.values[value.id.index()];
        values.push_back({value.name, file, tensor, layoutName(tensor.type.dims.size(), false)});
    }
    return values;
}

std::vector<ListedValue> valuesOf(const ir::Program& program,
                                  const frontend::onnx::Imported& imported,
                                  const ir::InterpreterResult& result) {
    std::vector<ListedValue> values;
    for (const frontend::onnx::ImportNote& note : imported.notes) {
        ir::Tensor tensor = result.values[note.value.index()];
        tensor.data = frontend::onnx::inFileOrder(tensor.data, note.layout);
        tensor.type.dims = note.shape;
        values.push_back({note.tensor, program.value(note.value).name, std::move(tensor),
                          layoutName(note.shape.size(), true)});
    }
    return values;
}

} // namespace

Json addAllValues(files::FolderFiles& files, const ir::Program& program,
                  const frontend::onnx::Imported* imported, const ir::InterpreterResult& result) {
    Json list = Json::array(), names = Json::array({"values.json"});
    for (const ListedValue& value :
         imported ? valuesOf(program, *imported, result) : valuesOf(program, result)) {
        std::string file = "values/" + value.file + ".npy";
        for (int number = 2; files.contains(file); ++number)
            file = "values/" + value.file + "." + std::to_string(number) + ".npy";
        files[file] = ir::encodeTensorFile(file, value.tensor);
        names.push_back(file);
        list.push_back({{"name", value.name},
                        {"file", file},
                        {"type", std::string(info(value.tensor.type.scalar).name)},
                        {"shape", value.tensor.type.dims},
                        {"layout", value.layout}});
    }
    files["values.json"] = list.dump(1) + "\n";
    return names;
}

} // namespace marquetry::cli
