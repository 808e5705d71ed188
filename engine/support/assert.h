// ENGINE_ASSERT: our own mistakes. Stays on in every build; prints the place and aborts.
#pragma once

namespace marquetry {

[[noreturn]] void assertionFailed(const char* condition, const char* message, const char* file,
                                  int line);

} // namespace marquetry

#define ENGINE_ASSERT(condition, message)                                                          \
    (static_cast<bool>(condition)                                                                  \
         ? static_cast<void>(0)                                                                    \
         : ::marquetry::assertionFailed(#condition, message, __FILE__, __LINE__))
