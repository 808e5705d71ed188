#include "engine/support/json_depth.h"

namespace marquetry {

bool nestsTooDeep(std::string_view json) {
    int depth = 0;
    bool inString = false;
    for (std::size_t k = 0; k < json.size(); ++k) {
        const char c = json[k];
        if (inString) {
            if (c == '\\')
                ++k;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxJsonDepth)
                return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

} // namespace marquetry
