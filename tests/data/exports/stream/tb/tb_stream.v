// Testbench of the stream s.
`timescale 1ns/1ns
module s_tb;
    parameter VECTORS = 1;
    reg aclk, aresetn, running;
    wire error;
    reg [8*1024-1:0] dir, file;
    integer gaps, seed, mismatches, idle, fault, cycle, ended, frames;
    reg moved;
    integer started [0:VECTORS];
    reg [7:0] x_sent [0:VECTORS*4-1];
    reg [7:0] x_tdata;
    reg x_tvalid, x_tlast, x_held;
    wire x_tready;
    integer x_next, x_frame, x_length;
    reg [7:0] y_wanted [0:VECTORS*4-1], want;
    reg y_cares [0:VECTORS*4-1], care;
    wire [7:0] y_tdata;
    wire y_tvalid, y_tlast;
    reg y_tready;
    integer beat_now, frame_now;
    s_top dut (
        .s_axis_x_tdata(x_tdata),
        .s_axis_x_tvalid(x_tvalid),
        .s_axis_x_tlast(x_tlast),
        .s_axis_x_tready(x_tready),
        .m_axis_y_tdata(y_tdata),
        .m_axis_y_tvalid(y_tvalid),
        .m_axis_y_tlast(y_tlast),
        .m_axis_y_tready(y_tready),
        .aclk(aclk), .aresetn(aresetn), .error(error));
    always #5 aclk = ~aclk;
    always @(negedge aclk) cycle = cycle + 1;
    always @(posedge aclk) begin
        if (x_tvalid & x_tready) begin
            if (x_next == 0)
                started[x_frame] = cycle;
            x_next = x_next + 1;
            if (x_next == x_length) begin
                x_next = 0;
                x_frame = x_frame + 1;
                x_length = 4;
            end
            moved = 1'b1;
        end
        x_held = x_tvalid & ~x_tready;
    end
    always @(negedge aclk) begin
        if (!x_held) begin
            x_tvalid = running && x_frame < frames && (gaps == 0 || ($random(seed) & 3) != 0);
            x_tdata = {8{1'bx}};
            x_tlast = 1'bx;
            if (x_tvalid) begin
                x_tdata = x_sent[x_frame*4 + (x_next < 4 ? x_next : 0)];
                x_tlast = x_next == x_length - 1;
            end
        end
    end
    always @(negedge aclk)
        y_tready = gaps == 0 || ($random(seed) & 3) != 0;
    always @(posedge aclk) begin
        if (aresetn && y_tvalid === 1'bx) begin
            mismatches = mismatches + 1;
            if (mismatches <= 20)
                $display("{\"mismatch\":{\"output\":\"y\",\"vector\":%0d,\"index\":%0d,\"expected\":%0d,\"got\":%0d,\"cycle\":%0d,\"what\":\"unknown tvalid\"}}", frame_now, 0, 0, 0, cycle);
        end
        if (y_tvalid & y_tready) begin
            moved = 1'b1;
            want = y_wanted[frame_now*4 + beat_now];
            care = y_cares[frame_now*4 + beat_now];
            if (fault == 0 || frame_now > 0) begin
                if (care && y_tdata !== want) begin
                    mismatches = mismatches + 1;
                    if (mismatches <= 20)
                        $display("{\"mismatch\":{\"output\":\"y\",\"vector\":%0d,\"index\":%0d,\"expected\":%0d,\"got\":%0d,\"cycle\":%0d,\"what\":\"element\"}}", frame_now, beat_now*1+0, $unsigned(want), $unsigned(y_tdata), cycle);
                end
            end
            if (y_tlast !== (beat_now == 3)) begin
                mismatches = mismatches + 1;
                if (mismatches <= 20)
                    $display("{\"mismatch\":{\"output\":\"y\",\"vector\":%0d,\"index\":%0d,\"expected\":%0d,\"got\":%0d,\"cycle\":%0d,\"what\":\"tlast\"}}", frame_now, beat_now*1, beat_now == 3, y_tlast, cycle);
            end
            beat_now = beat_now + 1;
            if (beat_now == 4) begin
                $display("{\"counted\":%0d}", cycle - started[frame_now] + 1);
                beat_now = 0;
                frame_now = frame_now + 1;
            end
        end
    end
    initial begin
        aclk = 1'b0; aresetn = 1'b0; running = 1'b0; moved = 1'b0; cycle = 0;
        mismatches = 0; frame_now = 0; beat_now = 0; idle = 0; ended = 0;
        if (!$value$plusargs("dir=%s", dir)) dir = ".";
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("gaps=%d", gaps)) gaps = 1;
        if (!$value$plusargs("fault=%d", fault)) fault = 0;
        if (!$value$plusargs("frames=%d", frames)) frames = VECTORS;
        x_tvalid = 1'b0; x_held = 1'b0; x_next = 0; x_frame = 0;
        x_length = fault == 1 ? (4 + 1) / 2 : fault == 2 ? 4 + 3 : 4;
        $sformat(file, "%0s/in_x.hex", dir);
        $readmemh(file, x_sent);
        y_tready = 1'b0;
        $sformat(file, "%0s/out_y.hex", dir);
        $readmemh(file, y_wanted);
        $sformat(file, "%0s/care_y.hex", dir);
        $readmemh(file, y_cares);
        if ($value$plusargs("vcd=%s", file)) begin
            $dumpfile(file);
            $dumpvars(0, dut);
        end
        repeat (4) @(negedge aclk);
        aresetn = 1'b1;
        running = 1'b1;
        while (frame_now < frames && ended == 0) begin
            moved = 1'b0;
            @(negedge aclk);
            idle = moved ? 0 : idle + 1;
            if (idle > 1016) begin
                mismatches = mismatches + 1;
                if (mismatches <= 20)
                    $display("{\"mismatch\":{\"output\":\"y\",\"vector\":%0d,\"index\":%0d,\"expected\":%0d,\"got\":%0d,\"cycle\":%0d,\"what\":\"timeout\"}}", frame_now, beat_now*1, 0, 0, cycle);
                ended = 1;
            end
        end
        if (error !== (fault != 0)) begin
            mismatches = mismatches + 1;
            if (mismatches <= 20)
                $display("{\"mismatch\":{\"output\":\"y\",\"vector\":%0d,\"index\":%0d,\"expected\":%0d,\"got\":%0d,\"cycle\":%0d,\"what\":\"error flag\"}}", frame_now, 0, fault != 0, error, cycle);
        end
        $display("{\"pass\":%0s,\"vectors\":%0d,\"mismatches\":%0d}",
                 mismatches == 0 ? "true" : "false", frames, mismatches);
        $finish;
    end
endmodule
