// Standard output and standard error without anything that a terminal would act on.
//
// Names of files, devices and programs can come from anywhere, and may contain control characters.
// All control characters but line feeds and tabs, and bytes that are not UTF-8, are written as
// escapes (engine/support/quote.h).
//
// Thread rule: as the stream's.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace marquetry::cli {

class PrintableBuffer : public std::streambuf {
public:
    explicit PrintableBuffer(std::streambuf* target) : target_(target) {}

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    bool flushLines(bool all);

    std::streambuf* target_;
    std::string waiting_;
};

/// Puts a PrintableBuffer between a stream and its buffer for as long as it lives.
class PrintableStream {
public:
    explicit PrintableStream(std::ostream& stream)
        : stream_(stream), original_(stream.rdbuf()), buffer_(original_) {
        stream_.rdbuf(&buffer_);
    }
    ~PrintableStream() {
        stream_.flush();
        stream_.rdbuf(original_);
    }
    PrintableStream(const PrintableStream&) = delete;
    PrintableStream& operator=(const PrintableStream&) = delete;

private:
    std::ostream& stream_;
    std::streambuf* original_;
    PrintableBuffer buffer_;
};

} // namespace marquetry::cli
