#include "app/cli/printable_stream.h"

#include "engine/support/quote.h"

namespace marquetry::cli {

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof()))
        return traits_type::not_eof(c);
    const char text = traits_type::to_char_type(c);
    return xsputn(&text, 1) == 1 ? c : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize count) {
    waiting_.append(text, static_cast<std::size_t>(count));
    return flushLines(false) ? count : 0;
}

int PrintableBuffer::sync() {
    return flushLines(true) && target_->pubsync() == 0 ? 0 : -1;
}

/// Only whole lines, so that no character is taken apart; all when the stream is flushed.
bool PrintableBuffer::flushLines(bool all) {
    const std::size_t lines = all ? waiting_.size() : waiting_.rfind('\n') + 1;
    const std::string text = printable(std::string_view(waiting_).substr(0, lines), true);
    waiting_.erase(0, lines);
    const auto size = static_cast<std::streamsize>(text.size());
    return target_->sputn(text.data(), size) == size;
}

} // namespace marquetry::cli
