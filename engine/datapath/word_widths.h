// Makes the words of a datapath as narrow as what they can be and what is used of them, and says
// which of them are numbers with a sign.
//
// A word of 32 bits that is a pixel of 8 is computed, delayed and stored in 8: a cell keeps the low
// bits that tell the words of its range apart (word_range.h), and of these those that its users
// need. Sums, differences, products and shifts to the left need no more bits of their operands than
// are needed of them; a shift to the right needs those that it moves down. Numbers below 0 keep one
// bit of sign, with which what is wider is filled.
//
// The widths of comparisons become those that their operands need, those of products the longer
// factor's: what they take in time and area follows from that. Values that the program defines stay
// as they were. Complexity: linear in the operands; with loops, so often as they make a need grow,
// at most once for each bit. Thread rule: pure.
#pragma once

#include "engine/datapath/lower_datapath.h"

namespace marquetry::datapath {

void fitWidths(Datapath& datapath);

} // namespace marquetry::datapath
