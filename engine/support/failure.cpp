#include "engine/support/failure.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace marquetry {

namespace {

Diagnostic outOfMemory(const std::string& during) {
    return makeError("out-of-memory", "this ran out of memory" + during,
                     "ask for less, or give the program more memory");
}

Diagnostic internalError(const std::string& during, const std::string& what) {
    return makeError("internal-error", "internal error" + during + what,
                     "please report it with the program");
}

} // namespace

Diagnostic failureOf(std::string_view doing) {
    const std::string during = " while " + std::string(doing);
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return outOfMemory(during);
    } catch (const std::length_error&) { // more than any memory holds
        return outOfMemory(during);
    } catch (const std::exception& error) {
        return internalError(during, ": " + std::string(error.what()));
    } catch (...) {
        return internalError(during, "");
    }
}

} // namespace marquetry
