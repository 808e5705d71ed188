// Kernel of the stream "s": 3 words, 4 clocks a frame.
// Input x : TSeq 4 0 u8
// Output y : TSeq 4 0 u8
// Cycles: 6 from the first beat to the last result, latency 1 steps of 1 clocks.
// Resources: 8 register bits beside control, 0 bits in line buffers; longest path 998 ps (estimated, no wires).
module s_kernel (
    input  wire aclk,
    input  wire aresetn,
    input  wire enable,
    input  wire in_valid,
    input  wire [7:0] in_x,
    output wire [7:0] out_y,
    output wire out_valid
);
    /* verilator lint_off UNUSED */
    wire [7:0] word_0;
    wire [7:0] sum_2;
    reg [7:0] sum_2_d1;
    reg valid;
    /* verilator lint_on UNUSED */
    assign word_0 = in_x;
    assign sum_2 = word_0 + 8'h5;
    assign out_y = {sum_2_d1};
    assign out_valid = valid;
    always @(posedge aclk)
        if (enable) begin
            sum_2_d1 <= sum_2;
        end
    always @(posedge aclk)
        if (!aresetn)
            valid <= 1'h0;
        else if (enable)
            valid <= in_valid;
endmodule
