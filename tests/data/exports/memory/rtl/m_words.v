// One memory of a bank: simple dual port, registered read of the old value.
module m_words #(
    parameter WIDTH = 32,
    parameter DEPTH = 16,
    parameter ADDRESS = 4
) (
    input  wire aclk,
    input  wire re,
    input  wire [ADDRESS-1:0] raddr,
    output reg  [WIDTH-1:0] q,
    input  wire we,
    input  wire [ADDRESS-1:0] waddr,
    input  wire [WIDTH-1:0] wdata
);

    (* ram_style = "distributed" *)
    reg [WIDTH-1:0] memory [0:DEPTH-1];

    always @(posedge aclk) begin
        if (we)
            memory[waddr] <= wdata;
        if (re)
            q <= memory[raddr];
    end

`ifndef SYNTHESIS
    integer i;
    initial begin
        q = {WIDTH{1'b0}};
        for (i = 0; i < DEPTH; i = i + 1)
            memory[i] = {WIDTH{1'b0}};
    end
`endif
endmodule
