// AXI4-Stream edges of the stream s: a beat for each valid slot, TLAST at the end of a frame.
// Cycles: 6 from the first beat to the last result without gaps.
module s_top (
    input  wire aclk,
    input  wire aresetn,
    input  wire [7:0] s_axis_x_tdata,
    input  wire s_axis_x_tvalid,
    input  wire s_axis_x_tlast,
    output wire s_axis_x_tready,
    output wire [7:0] m_axis_y_tdata,
    output wire m_axis_y_tvalid,
    output wire m_axis_y_tlast,
    input  wire m_axis_y_tready,
    output reg  error
);
    reg x_cut, x_skip;
    reg [1:0] x_beat;
    wire x_wants, x_takes;
    wire enable, in_frame, last_step, room, tick;
    reg [1:0] step;
    reg draining;
    reg left;
    wire restart = draining & (left == 1'h0);
    wire kernel_aresetn = aresetn & ~restart;
    reg [1:0] beat;
    reg [8:0] first, second;
    reg [1:0] held;
    assign x_wants = (1'b1) & ~x_cut;
    wire x_here = ~x_skip & (s_axis_x_tvalid | ~x_wants);
    assign x_takes = enable & in_frame & x_wants;
    assign s_axis_x_tready = x_skip | x_takes;
    wire x_last = x_beat == 2'h3;
    always @(posedge aclk)
        if (!aresetn) begin
            x_cut <= 1'b0;
            x_skip <= 1'b0;
            x_beat <= 2'h0;
        end else begin
            if (x_takes)
                x_beat <= (x_last | s_axis_x_tlast) ? 2'h0 : x_beat + 2'h1;
            if (x_takes & s_axis_x_tlast & ~x_last)
                x_cut <= 1'b1;
            else if (enable & in_frame & last_step)
                x_cut <= 1'b0;
            if (x_takes & x_last & ~s_axis_x_tlast)
                x_skip <= 1'b1;
            else if (s_axis_x_tvalid & s_axis_x_tlast)
                x_skip <= 1'b0;
        end
    assign tick = 1'b1;
    assign last_step = step == 2'h3;
    assign in_frame = ~draining & (x_here);
    wire drains = (draining | (~in_frame & (step == 2'h0))) & (left != 1'h0);
    assign enable = tick & room & (in_frame | drains);
    always @(posedge aclk)
        if (!kernel_aresetn) begin
            step <= 2'h0;
            draining <= 1'b0;
            left <= 1'h0;
        end else if (enable) begin
            if (in_frame)
                step <= last_step ? 2'h0 : step + 2'h1;
            draining <= ~in_frame;
            if (in_frame & last_step)
                left <= 1'h1;
            else if (~in_frame)
                left <= left - 1'h1;
        end
    always @(posedge aclk)
        if (!aresetn)
            error <= 1'b0;
        else if ((x_takes & (s_axis_x_tlast ^ x_last)))
            error <= 1'b1;
    wire [7:0] result;
    wire result_valid;
    wire [7:0] word_x = x_cut ? {8{1'b0}} : {s_axis_x_tdata};
    s_kernel kernel (
        .aclk(aclk), .aresetn(kernel_aresetn), .enable(enable),
        .in_valid(in_frame & 1'b1),
        .in_x(word_x),
        .out_y(result), .out_valid(result_valid));
    assign room = held != 2'h2;
    wire put = enable & result_valid;
    wire take = (held != 2'h0) & m_axis_y_tready;
    wire [8:0] next = {beat == 2'h3, {result}};
    assign m_axis_y_tvalid = held != 2'h0;
    assign {m_axis_y_tlast, m_axis_y_tdata} = first;
    always @(posedge aclk) begin
        if (!aresetn) begin
            held <= 2'h0;
            beat <= 2'h0;
        end else begin
            held <= held + {1'b0, put} - {1'b0, take};
            if (put)
                beat <= (beat == 2'h3) ? 2'h0 : beat + 2'h1;
        end
        if (take | (held == 2'h0))
            first <= (held == 2'h2) ? second : next;
        if (put)
            second <= next;
    end
endmodule
