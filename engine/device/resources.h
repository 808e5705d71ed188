// Resource vectors: what a design uses and what a chip has.
//
// Units: dsp = DSP blocks of the device (not multipliers); lut = LUTs (2 per ALM); ff = flip-flops;
// bram = the device's own block RAMs (M20K, RAMB36, DP16KD, EBR), halves allowed for RAMB18.
// Thread rule: value types.
#pragma once

#include <string>

namespace marquetry::device {

struct Resources {
    double dsp = 0;
    double lut = 0;
    double ff = 0;
    double bram = 0;

    Resources& operator+=(const Resources& other) {
        dsp += other.dsp;
        lut += other.lut;
        ff += other.ff;
        bram += other.bram;
        return *this;
    }
    friend Resources operator+(Resources a, const Resources& b) { return a += b; }
    friend Resources operator*(double k, const Resources& r) {
        return {k * r.dsp, k * r.lut, k * r.ff, k * r.bram};
    }
    bool operator==(const Resources&) const = default;

    bool fits(const Resources& limit) const {
        return dsp <= limit.dsp && lut <= limit.lut && ff <= limit.ff && bram <= limit.bram;
    }
};

} // namespace marquetry::device
