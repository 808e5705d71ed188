// SchemeFields: a bank scheme as a person types it — kind, N, B, α, copies — and back.
//
// Flat: one N, one B, one α per dimension. Hierarchical: one N, B and α per dimension. Lattice: as
// many N and B as maps, and as many lists of α, separated by semicolons. Xor: a list of masks in
// the place of α for each bit of the bank, separated by semicolons; N and B follow. Numbers are
// separated by commas or blanks; brackets are ignored. Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

namespace marquetry::widgets {

struct SchemeFields {
    banking::Kind kind = banking::Kind::Flat;
    QString banks;
    QString blocks;
    QString alpha;
    std::int64_t copies = 1;
};

/// What is wrong with the fields, in words; errors: scheme-fields.
Result<session::SchemeName> parseFields(const SchemeFields& fields, std::size_t rank);
SchemeFields fieldsOf(const banking::Scheme& scheme);

} // namespace marquetry::widgets
