#include "widgets/hdl/module_tree.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace marquetry::widgets {

namespace {

struct Word {
    QStringView text; ///< an identifier, or one other character
    int line = 0;
    bool isName() const { return text[0].isLetter() || text[0] == u'_'; }
};

/// The words of a text, without comments, strings and attributes.
class WordScanner {
public:
    explicit WordScanner(QStringView text) : text_(text) {}

    std::vector<Word> run() {
        while (at_ < text_.size())
            step();
        return std::move(words_);
    }

private:
    bool starts(const char* what) const {
        return text_.sliced(at_).startsWith(QLatin1String(what));
    }

    void step() {
        if (starts("//"))
            return skipPast(QStringLiteral("\n"));
        if (starts("/*"))
            return skipPast(QStringLiteral("*/"));
        if (starts("(*") && !starts("(*)"))
            return skipPast(QStringLiteral("*)"));
        if (text_[at_] == u'"')
            return skipString();
        if (text_[at_].isLetterOrNumber() || text_[at_] == u'_')
            return takeName();
        if (!text_[at_].isSpace())
            words_.push_back({text_.sliced(at_, 1), line_});
        advance(1);
    }

    void advance(qsizetype count) {
        line_ += static_cast<int>(text_.sliced(at_, count).count(u'\n'));
        at_ += count;
    }

    void skipPast(const QString& end) {
        const qsizetype found = text_.indexOf(end, at_ + 2);
        advance((found < 0 ? text_.size() : found + end.size()) - at_);
    }

    void skipString() {
        qsizetype end = at_ + 1;
        while (end < text_.size() && text_[end] != u'"')
            end += text_[end] == u'\\' ? 2 : 1;
        advance(std::min(end + 1, text_.size()) - at_);
    }

    void takeName() {
        qsizetype end = at_;
        while (end < text_.size() && (text_[end].isLetterOrNumber() || text_[end] == u'_' ||
                                      text_[end] == u'$' || text_[end] == u'\''))
            ++end;
        words_.push_back({text_.sliced(at_, end - at_), line_});
        advance(end - at_);
    }

    QStringView text_;
    qsizetype at_ = 0;
    int line_ = 1;
    std::vector<Word> words_;
};

/// Goes through the words of a file, with the modules of all files known by name.
class InstanceReader {
public:
    InstanceReader(const std::vector<Word>& words, const std::map<QStringView, std::size_t>& known,
                   HdlModules& modules)
        : words_(words), known_(known), modules_(modules) {}

    void run() {
        for (; at_ < words_.size(); ++at_)
            step();
    }

private:
    void step() {
        const QStringView text = words_[at_].text;
        if (text == u"module" && at_ + 1 < words_.size()) {
            const auto module = known_.find(words_[++at_].text);
            within_ = module == known_.end() ? nullptr : &modules_[module->second];
            labels_.clear();
        } else if (text == u"begin") {
            const bool labelled = at_ + 2 < words_.size() && words_[at_ + 1].text == u":";
            labels_ << (labelled ? words_[at_ + 2].text.toString() : QString());
        } else if (text == u"end" && !labels_.isEmpty()) {
            labels_.removeLast();
        } else if (const auto module = known_.find(text); module != known_.end()) {
            read(module->second);
        }
    }

    void read(std::size_t module) {
        std::size_t next = at_ + 1;
        if (next + 1 < words_.size() && words_[next].text == u"#" && words_[next + 1].text == u"(")
            next = behindParentheses(next + 1);
        if (within_ == nullptr || next + 1 >= words_.size() || !words_[next].isName() ||
            words_[next + 1].text != u"(")
            return;
        QString name;
        for (const QString& label : labels_)
            if (!label.isEmpty())
                name += label + QStringLiteral("[…].");
        within_->instances.push_back(
            {name + words_[next].text.toString(), module, words_[at_].line});
        at_ = next;
    }

    std::size_t behindParentheses(std::size_t at) const {
        int open = 0;
        for (; at < words_.size(); ++at) {
            open += words_[at].text == u"(" ? 1 : words_[at].text == u")" ? -1 : 0;
            if (open == 0)
                return at + 1;
        }
        return at;
    }

    const std::vector<Word>& words_;
    const std::map<QStringView, std::size_t>& known_;
    HdlModules& modules_;
    HdlModule* within_ = nullptr;
    QStringList labels_; ///< of the blocks that are open
    std::size_t at_ = 0;
};

} // namespace

HdlModules modulesOf(const std::vector<session::HdlFile>& files) {
    HdlModules modules;
    std::vector<QString> texts(files.size()); // that words are parts of
    std::vector<std::vector<Word>> words(files.size());
    std::map<QStringView, std::size_t> known;
    for (std::size_t k = 0; k < files.size(); ++k) {
        const QString path = QString::fromStdString(files[k].path);
        if (!path.endsWith(QLatin1String(".v")))
            continue;
        texts[k] = QString::fromStdString(files[k].text);
        words[k] = WordScanner(texts[k]).run();
        for (std::size_t word = 0; word + 1 < words[k].size(); ++word) {
            const QStringView name = words[k][word + 1].text;
            if (words[k][word].text == u"module" && known.try_emplace(name, modules.size()).second)
                modules.push_back({name.toString(),
                                   path,
                                   QString::fromStdString(files[k].unit),
                                   words[k][word].line,
                                   {}});
        }
    }
    for (const std::vector<Word>& each : words)
        InstanceReader(each, known, modules).run();
    return modules;
}

std::vector<std::size_t> topModules(const HdlModules& modules) {
    std::vector<bool> inside(modules.size(), false);
    for (const HdlModule& module : modules)
        for (const HdlInstance& instance : module.instances)
            inside[instance.module] = true;
    std::vector<std::size_t> tops;
    for (std::size_t k = 0; k < modules.size(); ++k)
        if (!inside[k])
            tops.push_back(k);
    return tops;
}

} // namespace marquetry::widgets
