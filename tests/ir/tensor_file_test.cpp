#include "engine/ir/interpreter.h"
#include "tests/ir/tensor_maker.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace marquetry::ir {
namespace {

namespace fs = std::filesystem;

class TensorFile : public ::testing::Test {
protected:
    std::string path(const std::string& name) const { return folder_ / name; }

    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    /// A version-1 file; `dict` without padding.
    std::string writeNpy(const std::string& name, const std::string& dict, const std::string& data,
                         char version = 1) const {
        std::string header = "\x93NUMPY";
        header += version;
        header += '\0';
        header += static_cast<char>(dict.size());
        header += '\0';
        if (version >= 2)
            header += std::string(2, '\0');
        return write(name, header + dict + data);
    }

    std::string codeOf(const std::string& file, const Type& type) const {
        const auto loaded = loadTensorFile(file, type);
        const auto checked = readTensorFile(file, type);
        EXPECT_EQ(loaded.has_value(), checked.has_value());
        return loaded ? "none" : loaded.error()[0].code;
    }

    test::TemporaryFolder folder_;
};

const Type kI16{Scalar::I16, {2, 1}};

TEST_F(TensorFile, RawFilesAreLittleEndian) {
    const auto loaded = loadTensorFile(write("a.bin", std::string("\x01\x02\xff\xff", 4)), kI16);
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(loaded->data, (std::vector<std::int64_t>{0x201, -1}));
}

TEST_F(TensorFile, EveryScalarComesBackFromBothForms) {
    SplitMix64 random(1);
    for (int s = 0; s < 7; ++s) {
        for (const Shape& dims : {Shape{}, Shape{5}, Shape{2, 3, 4}}) {
            const Tensor original = randomTensor({static_cast<Scalar>(s), dims}, random);
            EXPECT_EQ(fromBytes(original.type, toBytes(original)), original);
            for (const char* name : {"t.bin", "t.npy"}) {
                write(name, encodeTensorFile(name, original));
                const auto loaded = loadTensorFile(path(name), original.type);
                ASSERT_TRUE(loaded.has_value()) << format(loaded.error());
                EXPECT_EQ(*loaded, original);
            }
        }
    }
}

TEST_F(TensorFile, NumpyHeadersOfBothVersions) {
    const std::string dict = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }\n";
    const std::string data("\x05\x00\x06\x00", 4);
    EXPECT_EQ(codeOf(writeNpy("v1.npy", dict, data), kI16), "none");
    EXPECT_EQ(codeOf(writeNpy("v2.npy", dict, data, 2), kI16), "none");
    EXPECT_EQ(codeOf(writeNpy("v3.npy", dict, data, 3), kI16), "file-format");
}

TEST_F(TensorFile, SavedHeadersAreAligned) {
    const std::string bytes = encodeTensorFile("a.npy", tensor(Scalar::I8, {3}, {1, 2, 3}));
    EXPECT_EQ((bytes.size() - 3) % 64, 0U);
}

TEST_F(TensorFile, WrongHeadersAreDiagnosed) {
    const std::string data("\x05\x00\x06\x00", 4);
    const std::vector<std::string> dicts = {
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }\n",
        "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 1), }\n",
        "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 1), }\n",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }\n",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999999, 1), }\n",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (-2, 1), }\n",
        "{'descr': '<i2', 'fortran_order': False}\n",
        "{'descr'",
        "",
    };
    for (const std::string& dict : dicts)
        EXPECT_EQ(codeOf(writeNpy("a.npy", dict, data), kI16), "file-format") << dict;
    EXPECT_EQ(codeOf(write("b.npy", "\x93NUMPY"), kI16), "file-format");
    EXPECT_EQ(codeOf(write("c.npy", ""), kI16), "file-format");
    EXPECT_EQ(codeOf(write("d.npy", std::string("\x93NUMPY\x01\x00\xff\xff", 10)), kI16),
              "file-format");
    EXPECT_EQ(codeOf(write("e.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)), kI16),
              "file-format");
}

TEST_F(TensorFile, WrongLengthsAreDiagnosed) {
    const auto shortFile = loadTensorFile(write("a.bin", "abc"), kI16);
    ASSERT_FALSE(shortFile.has_value());
    EXPECT_EQ(shortFile.error()[0].code, "file-size");
    EXPECT_THAT(shortFile.error()[0].message, ::testing::HasSubstr("holds 3 bytes"));
    EXPECT_THAT(shortFile.error()[0].message, ::testing::HasSubstr("needs 4"));
    EXPECT_EQ(codeOf(write("b.bin", "abcde"), kI16), "file-size");
    const std::string dict = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }\n";
    EXPECT_EQ(codeOf(writeNpy("c.npy", dict, "abc"), kI16), "file-size");
}

TEST_F(TensorFile, WhatIsNoFileIsDiagnosed) {
    EXPECT_EQ(codeOf(path("none.bin"), kI16), "file-missing");
    EXPECT_EQ(codeOf(folder_.string(), kI16), "file-unreadable");
    EXPECT_EQ(codeOf("/dev/zero", kI16), "file-unreadable");
}

TEST_F(TensorFile, BitsMustBeZeroOrOne) {
    const auto loaded =
        loadTensorFile(write("a.bin", std::string("\x01\x02", 2)), Type{Scalar::Bit, {2}});
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error()[0].code, "file-format");
}

} // namespace
} // namespace marquetry::ir
