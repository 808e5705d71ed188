#include "widgets/memories/scheme_fields.h"

#include "widgets/memories/bank_tables.h"

#include <QRegularExpression>
#include <QStringList>

namespace marquetry::widgets {

namespace {

Diagnostic wrong(const QString& what) {
    return makeError("scheme-fields", what.toStdString());
}

/// Numbers of a list; error: what is none.
Result<std::vector<std::int64_t>> numbersIn(const QString& text, const QString& field) {
    static const QRegularExpression separators(QStringLiteral("[,\\s()\\[\\]]+"));
    std::vector<std::int64_t> numbers;
    for (const QString& part : text.split(separators, Qt::SkipEmptyParts)) {
        bool good = false;
        numbers.push_back(part.toLongLong(&good));
        if (!good || numbers.back() < 0)
            return wrong(QObject::tr("%1: \"%2\" is no number").arg(field, part));
    }
    return numbers;
}

Result<std::vector<std::int64_t>> counted(const QString& text, const QString& field,
                                          std::size_t wanted) {
    auto numbers = numbersIn(text, field);
    if (numbers && numbers->size() != wanted)
        return wrong(
            QObject::tr("%1 needs %2 numbers, not %3").arg(field).arg(wanted).arg(numbers->size()));
    return numbers;
}

QString withoutBrackets(QString text) {
    return text.remove(u'(').remove(u')');
}

/// As many lists of masks as bits of the bank; N is what follows.
Result<session::SchemeName> parseMasks(const SchemeFields& fields, std::size_t rank) {
    session::SchemeName name;
    name.copies = fields.copies;
    for (const QString& list : fields.alpha.split(u';')) {
        auto masks = counted(list, QObject::tr("A list of masks"), rank);
        if (!masks)
            return masks.error();
        name.maps.push_back(ir::parityMap(*std::move(masks)));
    }
    return name;
}

} // namespace

Result<session::SchemeName> parseFields(const SchemeFields& fields, std::size_t rank) {
    if (fields.kind == banking::Kind::Xor)
        return parseMasks(fields, rank);
    const bool flat = fields.kind == banking::Kind::Flat;
    const bool diagonal = fields.kind == banking::Kind::Hierarchical;
    const QStringList lists = fields.alpha.split(u';');
    const std::size_t maps = flat ? 1 : diagonal ? rank : static_cast<std::size_t>(lists.size());
    const auto banks = counted(fields.banks, QObject::tr("N"), maps);
    if (!banks)
        return banks.error();
    const auto blocks = counted(fields.blocks, QObject::tr("B"), maps);
    if (!blocks)
        return blocks.error();
    session::SchemeName name;
    name.copies = fields.copies;
    for (std::size_t m = 0; m < maps; ++m) {
        const QString list = diagonal ? fields.alpha : lists.value(static_cast<int>(m));
        const auto numbers = counted(list, QObject::tr("α"), rank);
        if (!numbers)
            return numbers.error();
        ir::FlatMap map{*numbers, (*blocks)[m], (*banks)[m]};
        for (std::size_t d = 0; d < rank && diagonal; ++d)
            map.alpha[d] = d == m ? map.alpha[d] : 0;
        if (map.banks < 1 || map.block < 1)
            return wrong(QObject::tr("N and B are at least 1"));
        name.maps.push_back(std::move(map));
    }
    return name;
}

SchemeFields fieldsOf(const banking::Scheme& scheme) {
    SchemeFields fields;
    fields.kind = scheme.kind();
    fields.banks = withoutBrackets(banksText(scheme));
    fields.blocks = withoutBrackets(blocksText(scheme));
    fields.alpha = withoutBrackets(alphaText(scheme));
    fields.copies = scheme.copies;
    return fields;
}

} // namespace marquetry::widgets
