// An AXI4-Lite master with random timing, and what the protocol says of the slave's answers.
//
// Addresses and data of writes go their own ways. Each write has one answer, after both halves
// were taken, each read one; answers stay as they are until they are taken, and come though ready
// is low. Thread rule: one thread.
#pragma once

#include "checks.h"

#include <deque>

namespace bench {

struct LiteSlave {
    bool awready, wready, bvalid, arready, rvalid;
    std::uint32_t bresp, rdata, rresp;
};

struct LiteMaster {
    bool awvalid = false, wvalid = false, bready = false, arvalid = false, rready = false;
    std::uint32_t awaddr = 0, wdata = 0, wstrb = 0, araddr = 0;
};

class AxiLite {
public:
    LiteMaster out;
    /// Nothing is taken before it is offered.
    bool afterValid = false;
    unsigned pace = 100;
    std::uint64_t lastWrite = 0; ///< clock in which the later half of the last write was taken
    long answers = 0;

    void write(std::uint32_t address, std::uint32_t data, std::uint32_t bytes = 0xf) {
        addresses_.push_back(address);
        words_.push_back({data, bytes});
        ++writes_;
    }
    void read(std::uint32_t address) {
        reads_.push_back(address);
        ++expected_;
    }
    bool idle() const { return writes_ == 0 && expected_ == 0; }
    std::uint32_t result() {
        const std::uint32_t word = results_.front();
        results_.pop_front();
        return word;
    }

    /// After a clock in which the slave said that.
    void clock(const LiteSlave& in) {
        answered(in);
        if (out.awvalid && in.awready) {
            out.awvalid = false;
            ++addressed_;
            lastWrite = clocks;
        }
        if (out.wvalid && in.wready) {
            out.wvalid = false;
            ++filled_;
            lastWrite = clocks;
        }
        if (out.arvalid && in.arready) {
            out.arvalid = false;
            ++asked_;
        }
        offer();
        out.bready = chance(pace) && (!afterValid || in.bvalid);
        out.rready = chance(pace) && (!afterValid || in.rvalid);
    }

private:
    struct Word {
        std::uint32_t data, bytes;
    };

    void answered(const LiteSlave& in) {
        expect(!heldB_ || in.bvalid, "bvalid fell before bready");
        expect(!heldR_ || in.rvalid, "rvalid fell before rready");
        expect(!in.bvalid || (addressed_ > 0 && filled_ > 0), "an answer to no write");
        expect(!in.rvalid || asked_ > 0, "an answer to no read");
        expect(!in.bvalid || in.bresp == 0, "bresp is %u", in.bresp);
        expect(!in.rvalid || in.rresp == 0, "rresp is %u", in.rresp);
        expect(!heldR_ || in.rdata == heldData_, "rdata changed before it was taken");
        heldB_ = in.bvalid && !out.bready;
        heldR_ = in.rvalid && !out.rready;
        heldData_ = in.rdata;
        if (in.bvalid && out.bready) {
            --addressed_;
            --filled_;
            --writes_;
            ++answers;
        }
        if (in.rvalid && out.rready) {
            --asked_;
            --expected_;
            ++answers;
            results_.push_back(in.rdata);
        }
    }

    void offer() {
        if (!out.awvalid && !addresses_.empty() && chance(pace)) {
            out.awvalid = true;
            out.awaddr = addresses_.front();
            addresses_.pop_front();
        }
        if (!out.wvalid && !words_.empty() && chance(pace)) {
            out.wvalid = true;
            out.wdata = words_.front().data;
            out.wstrb = words_.front().bytes;
            words_.pop_front();
        }
        if (!out.arvalid && !reads_.empty() && chance(pace)) {
            out.arvalid = true;
            out.araddr = reads_.front();
            reads_.pop_front();
        }
    }

    std::deque<std::uint32_t> addresses_, reads_, results_;
    std::deque<Word> words_;
    long writes_ = 0, expected_ = 0;              ///< without an answer
    long addressed_ = 0, filled_ = 0, asked_ = 0; ///< taken, without an answer
    bool heldB_ = false, heldR_ = false;
    std::uint32_t heldData_ = 0;
};

} // namespace bench
