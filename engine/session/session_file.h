// A session file (.mqs): all that a user decided, so that an exploration can be taken up again.
//
// JSON with a version. It holds the program's path and text, the settings, the pins of every kind
// and what was chosen of memories and streams, and whether a search was made; what a search finds
// is found again, so it is not in the file. "window" is kept for the window, which alone knows what
// it means. Equal values, equal bytes: nothing in the file depends on when or where it was written.
//
// Bytes of the text or of a path that are no UTF-8 are replaced, as JSON cannot hold them; see
// asHeld(). Members that this version does not know are left out of account.
//
// Errors: those of files::read; session-syntax (no JSON: cut short, or changed by hand),
// session-form (no session file, or a field that is not what it should be), session-newer (written
// by a later version; nothing else of it is looked at). All have a line and a column.
// Complexity: linear. Thread rule: value types; pure but for reading.
#pragma once

#include "engine/session/snapshot.h"
#include "engine/support/result.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::session {

/// A text that is shared, and compared by its bytes.
class HeldText {
public:
    HeldText() : text_(std::make_shared<const std::string>()) {}
    HeldText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
    /// Null: empty.
    HeldText(std::shared_ptr<const std::string> text)
        : text_(text ? std::move(text) : std::make_shared<const std::string>()) {}

    const std::string& operator*() const { return *text_; }
    const std::string* operator->() const { return text_.get(); }
    bool operator==(const HeldText& other) const {
        return text_ == other.text_ || *text_ == *other.text_;
    }

private:
    std::shared_ptr<const std::string> text_;
};

struct SessionFile {
    static constexpr std::int64_t kVersion = 1;

    std::string program; ///< path of its file
    std::string item;    ///< empty: the first
    HeldText text;       ///< of the program when it was opened last
    Settings settings;
    std::vector<design::Pin> pins; ///< with ids from 1, in the order of the file
    BankChoices banks;
    StreamChoices streams;
    std::optional<PickedDesign> picked; ///< from the plot of designs
    std::string memory;                 ///< item at hand; empty: none
    std::string stream;                 ///< item at hand; empty: none
    bool searched = false;
    std::map<std::string, std::string> window;
    /// Of a journal: the session file that it is a later state of; empty: there is none.
    std::string savedAs;
    bool operator==(const SessionFile&) const = default;
};

/// What the user decided is the same: all but what is shown, where, and whether it was searched.
bool sameDecisions(const SessionFile& one, const SessionFile& other);

/// By the end of its name: ".mqs".
bool isSessionFile(const std::string& path);
/// Whether a file with these bytes may be replaced by a session file; one of a later version, too.
bool looksLikeSession(std::string_view bytes);

std::string printSession(const SessionFile& session);
Result<SessionFile> parseSession(std::string_view text, const std::string& path);
Result<SessionFile> readSession(const std::string& path);

/// Where the program was, or beside the session file when both have moved.
std::string programFileOf(const SessionFile& session, const std::string& path);

/// The text of a program as a session file holds it.
std::string asHeld(const std::string& text);

/// What the snapshot shows; without what only the window knows. Of a snapshot without a program's
/// file the path is empty. Buffers come and go with designs, and a program that has mistakes
/// has no items: choices of `before`, a session of the same program, stay while what they are about
/// is not there. So does the text of a program whose file cannot be read.
SessionFile sessionOf(const Snapshot& snapshot, const SessionFile& before = {});

} // namespace marquetry::session
