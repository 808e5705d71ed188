// Activation slot "slot0": 1 words of 8 elements of 8 bits.
// Bank scheme: 1 banks of 8 neighbouring lanes, 1 words each; every lane is a wire.
// Cycles: 1 per read. Resources: 1 memories of 1 x 64 bits in LUT RAM.
// Holds a: words 0 to 0.
module d_slot_slot0 (
    input  wire aclk,
    input  wire re,
    input  wire raddr,
    output wire [63:0] q,
    input  wire we,
    input  wire waddr,
    input  wire [63:0] wdata
);
    d_lut_memory #(.WIDTH(64), .DEPTH(1), .ADDRESS(1)) bank_0_0 (
        .aclk(aclk), .re(re), .raddr(raddr), .q(q),
        .we(we), .waddr(waddr), .wdata(wdata));
endmodule
