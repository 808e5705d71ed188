#include "engine/rtl/reserved_words.h"

#include "engine/support/assert.h"

#include <algorithm>
#include <vector>

namespace marquetry::rtl {

namespace {

/// "word:sources", sorted by the word.
constexpr std::string_view kText = R"(
above:a abs:ah absdelay:a absdelta:a abstol:a ac_stim:a accept_on:s access:ah aclk:o acos:a acosh:a
address:o after:h alias:shp aliasparam:a alignas:c alignof:c all:h altddio_bidir:l altddio_in:l
altddio_out:l altera_pll:l altera_std_synchronizer:l altiobuf_bidir:l altiobuf_in:l altiobuf_out:l
altsyncram:l alu54b:l always:vp always_comb:sp always_ff:sp always_latch:sp analog:a analysis:a
and:vchp and2b1l:l and_eq:c architecture:h aresetn:o array:h asin:a asinh:a asm:c assert:sahp
assign:vp assume:shp assume_guarantee:h atan:a atan2:a atanh:a attribute:h auto:c automatic:vp
bank_q_#_#_#:o bank_q_#_#_#_w#:o bb:l bbpd:l bbpu:l before:sp begin:vhp bind:sp bins:s binsof:s
bit:sp bitand:c bitor:c bitslice_control:l block:h body:h bool:ic branch:a break:scp
bscan_spartan3:l bscan_spartan3a:l bscan_spartan6:l bscan_virtex4:l bscan_virtex5:l bscan_virtex6:l
bscane2:l buf:vp buffer:h bufg:l bufg_gt:l bufg_gt_sync:l bufg_ps:l bufgce:l bufgce_1:l bufgce_div:l
bufgctrl:l bufgmux:l bufgmux_1:l bufgmux_ctrl:l bufgmux_virtex4:l bufh:l bufhce:l bufif0:vp
bufif1:vp bufio:l bufio2:l bufio2_2clk:l bufio2fb:l bufiodqs:l bufmr:l bufmrce:l bufpll:l
bufpll_mcb:l bufr:l buft:l bus:h busy:o byte:sp capture_spartan3:l capture_spartan3a:l
capture_virtex4:l capture_virtex5:l capture_virtex6:l capturee2:l carry4:l carry8:l case:vchp
casex:vp casez:vp catch:c ccu2c:l ceil:a cell:vp cfglut5:l chandle:s char:c char16_t:c char32_t:c
char8_t:c checker:sp class:scp clkdivf:l clocking:sp cmac:l cmace4:l cmos:vp co_await:c co_return:c
co_yield:c compl:c component:h concept:c config:vp configuration:h connect:a connectmodule:a
connectrules:a const:scp const_cast:c constant:h consteval:c constexpr:c constinit:c constraint:sp
context:shp continue:scp continuous:a cos:a cosh:a cover:shp covergroup:s coverpoint:s crc32:l
crc64:l cross:sap cycles:o cyclone10gx_clkena:l cyclone10gx_io_ibuf:l cyclone10gx_io_obuf:l
cyclone10gx_mac:l cyclonev_clkena:l cyclonev_hps_interface_mpu_general_purpose:l cyclonev_io_ibuf:l
cyclonev_io_obuf:l cyclonev_lcell_comb:l cyclonev_mac:l cyclonev_mlab_cell:l cyclonev_oscillator:l
cyclonev_ram_block:l dcca:l dcireset:l dcm:l dcm_adv:l dcm_base:l dcm_clkgen:l dcm_ps:l dcm_sp:l
dcsc:l dcua:l ddrdlla:l ddt:a ddt_nature:a ddx:a deassign:vp decltype:c default:vchp defparam:vp
delayf:l delayg:l delete:c depth:o design:vp dffeas:l disable:vp discipline:a disconnect:h
discrete:a dist:sp dlldeld:l dna_port:l dna_porte2:l do:scp domain:a done:o double:c downto:h
dp16kd:l dpr16x4c:l dqsbufm:l driver_update:a dsp48:l dsp48a:l dsp48a1:l dsp48e:l dsp48e1:l
dsp48e2:l dtr:l dynamic_cast:c eclkbridgecs:l eclksyncb:l edge:vp efuse_usr:l ehxplll:l electrical:a
else:vchp elsif:h emac:l end:vhp endcase:vp endchecker:s endclass:s endclocking:s endconfig:v
endconnectrules:a enddiscipline:a endfunction:vp endgenerate:vp endgroup:s endinterface:s
endmodule:vp endnature:a endpackage:sp endparamset:a endprimitive:v endprogram:s endproperty:s
endsequence:s endspecify:v endtable:v endtask:vp entity:h enum:scp error:o event:vp eventually:s
exclude:a exit:h exp:a expect:sp explicit:c export:scp extends:sp extern:scp extrefb:l fairness:h
false:c fd1p3ax:l fd1p3ay:l fd1p3bx:l fd1p3dx:l fd1p3ix:l fd1p3jx:l fd1s3ax:l fd1s3ay:l fd1s3bx:l
fd1s3dx:l fd1s3ix:l fd1s3jx:l fdce:l fdce_1:l fdcpe:l fdcpe_1:l fddrcpe:l fddrrse:l fdpe:l fdpe_1:l
fdre:l fdre_1:l fdrse:l fdrse_1:l fdse:l fdse_1:l fe:l fifo16:l fifo18:l fifo18_36:l fifo18e1:l
fifo18e2:l fifo36:l fifo36_72:l fifo36e1:l fifo36e2:l file:h final:sp final_step:a first_match:s
flicker_noise:a float:c floor:a flow:a for:vchp force:vhp foreach:sp forever:vp fork:vp forkjoin:s
frame_ecc_virtex4:l frame_ecc_virtex5:l frame_ecc_virtex6:l frame_ecce2:l frame_ecce3:l
frame_ecce4:l friend:c from:a function:vhp g#_banks:o g#_conflict:o g#_first:o g#_happens:o g#_i:o
g#_j:o g#_load:o g#_r#_box:o g#_r#_u#:o g#_r#_x#:o g#_w#_box:o g#_w#_u#:o g#_w#_x#:o g#_words:o
generate:vhp generic:h genvar:vp global:sp gnd:l goto:c ground:a group:h gsr:l gt11_custom:l
gt11_dual:l gt11clk:l gt11clk_mgt:l gthe1_quad:l gthe2_channel:l gthe2_common:l gthe3_channel:l
gthe3_common:l gthe4_channel:l gthe4_common:l gtm_dual:l gtp_dual:l gtpa1_dual:l gtpe2_channel:l
gtpe2_common:l gtx_dual:l gtxe1:l gtxe2_channel:l gtxe2_common:l gtye3_channel:l gtye3_common:l
gtye4_channel:l gtye4_common:l guarded:h hard_sync:l hbm_one_stack_intf:l hbm_ref_clk:l
hbm_snglbli_intf_apb:l hbm_snglbli_intf_axi:l hbm_two_stack_intf:l held_#_#_#:o highz0:v highz1:v
hpio_vref:l hsadc:l hsdac:l hypot:a i:o ib:l ibpd:l ibpu:l ibuf:l ibuf_analog:l ibuf_dly_adj:l
ibuf_ibufdisable:l ibuf_intermdisable:l ibufds:l ibufds_diff_out:l ibufds_diff_out_ibufdisable:l
ibufds_diff_out_intermdisable:l ibufds_dly_adj:l ibufds_dphy:l ibufds_gte2:l ibufds_gte3:l
ibufds_gte4:l ibufds_gthe1:l ibufds_gtm:l ibufds_gtxe1:l ibufds_ibufdisable:l ibufds_intermdisable:l
ibufdse3:l ibufe3:l ibufg:l ibufgds:l ibufgds_diff_out:l icap_spartan3a:l icap_spartan6:l
icap_virtex4:l icap_virtex5:l icap_virtex6:l icape2:l icape3:l icestorm_lc:l icestorm_ram:l iddr:l
iddr2:l iddr71b:l iddr_2clk:l iddre1:l iddrx1f:l iddrx2dqa:l iddrx2f:l idelay:l idelayctrl:l
idelaye2:l idelaye3:l idt:a idt_nature:a idtmod:a if:vchp ifddrcpe:l ifddrrse:l iff:sp ifnone:v
ifs1p3bx:l ifs1p3dx:l ifs1p3ix:l ifs1p3jx:l ignore_bins:s ilkn:l ilkne4:l illegal_bins:s ilvds:l
implements:s implies:s import:sp impure:h in:h in_fifo:l incdir:v include:v inertial:h inf:a
infinite:a initial:vp initial_step:a inline:c inout:vhp input:vp inside:sp instance:vp int:scp
integer:vp interconnect:s interface:sp intersect:s inv:l iobuf:l iobuf_dcien:l iobuf_intermdisable:l
iobufds:l iobufds_dcien:l iobufds_diff_out:l iobufds_diff_out_dcien:l
iobufds_diff_out_intermdisable:l iobufds_intermdisable:l iobufdse3:l iobufe3:l iodelay:l iodelay2:l
iodelaye1:l iodrp2:l iodrp2_mcb:l is:h iserdes:l iserdes2:l iserdes_nodelay:l iserdese1:l
iserdese2:l iserdese3:l join:vp join_any:s join_none:s jtagg:l keeper:l key_clear:l l6mux21:l
label:h laplace_nd:a laplace_np:a laplace_zd:a laplace_zp:a large:vp last_#:o last_crossing:a ldce:l
ldcpe:l ldpe:l let:sp liblist:vp library:vhp limexp:a linkage:h literal:h ln:a load_bank:o
load_data:o load_en:o load_offset:o local:sp localparam:vp log:a logic:sp long:c longint:sp loop:h
lut1:l lut2:l lut3:l lut4:l lut5:l lut6:l lut6_2:l macromodule:vp mailbox:t map:h master_jtag:l
matches:sp max:a mcb:l medium:vp memory:o merged:a min:a mistral_alut2:l mistral_alut3:l
mistral_alut4:l mistral_alut5:l mistral_alut6:l mistral_alut_arith:l mistral_clkbuf:l mistral_ff:l
mistral_ib:l mistral_io:l mistral_m10k:l mistral_mlab:l mistral_mul18x18:l mistral_mul27x27:l
mistral_mul9x9:l mistral_not:l mistral_ob:l mmcm_adv:l mmcm_base:l mmcme2_adv:l mmcme2_base:l
mmcme3_adv:l mmcme3_base:l mmcme4_adv:l mmcme4_base:l mod:h modport:sp module:vp mult18x18:l
mult18x18d:l mult18x18s:l mult18x18sio:l mult_and:l mutable:c muxcy:l muxf5:l muxf6:l muxf7:l
muxf8:l muxf9:l n#_k#:o n#_k#_last:o n#_k#_moves:o n#_wraps:o namespace:c nand:vhp nature:a
negedge:vp net_resolution:a nettype:s new:schp next:h nexttime:s nmos:vp noexcept:c noise_table:a
noise_table_log:a nor:vhp noshowcancelled:v not:vchp not_eq:c notif0:v notif1:v null:shp nullptr:c
ob:l obco:l obuf:l obufds:l obufds_dphy:l obufds_gte3:l obufds_gte3_adv:l obufds_gte4:l
obufds_gte4_adv:l obufds_gtm:l obufds_gtm_adv:l obuft:l obuftds:l obz:l obzpd:l obzpu:l oddr:l
oddr2:l oddr71b:l oddre1:l oddrx1f:l oddrx2dqa:l oddrx2dqsb:l oddrx2f:l odelaye2:l odelaye3:l of:h
ofddrcpe:l ofddrrse:l ofddrtcpe:l ofddrtrse:l ofs1p3bx:l ofs1p3dx:l ofs1p3ix:l ofs1p3jx:l olvds:l
on:h open:h operator:c or:vchp or2l:l or_eq:c orcy:l oscg:l oserdes:l oserdes2:l oserdese1:l
oserdese2:l oserdese3:l oshx2a:l others:h out:h out_fifo:l output:vp package:shp packed:sp
parameter:vhp paramset:a pcie40e4:l pcie4ce4:l pcie_2_0:l pcie_2_1:l pcie_3_0:l pcie_3_1:l pcie_a1:l
pcie_ep:l pcsclkdiv:l pdpw16kd:l pfumx:l phaser_in:l phaser_in_phy:l phaser_out:l phaser_out_phy:l
phaser_ref:l phy_control:l pll_adv:l pll_base:l plle2_adv:l plle2_base:l plle3_adv:l plle3_base:l
plle4_adv:l plle4_base:l pmcd:l pmos:vp port:h posedge:vp post_crc_internal:l postponed:h
potential:a pow:a ppc405_adv:l ppc440:l primitive:vp priority:sp private:c procedure:h process:th
program:sp property:shp protected:schp ps7:l ps8:l public:c pull0:vp pull1:vp pulldown:vlp
pullup:vlp pulsestyle_ondetect:v pulsestyle_onevent:v pur:l pure:shp q:o q_#_#_#:o q_#_#_#_w#:o
r#_at#:o r#_bank:o r#_data:o r#_en:o r#_happens:o r#_offset:o r#_select:o r#_sum#:o r#_word:o
r#_x#:o raddr:o ram128x1d:l ram128x1s:l ram128x1s_1:l ram16x1d:l ram16x1d_1:l ram16x1s:l
ram16x1s_1:l ram16x2s:l ram16x4s:l ram16x8s:l ram256x1d:l ram256x1s:l ram32m:l ram32m16:l
ram32x16dr8:l ram32x1d:l ram32x1d_1:l ram32x1s:l ram32x1s_1:l ram32x2s:l ram32x4s:l ram32x8s:l
ram512x1s:l ram64m:l ram64m8:l ram64x1d:l ram64x1d_1:l ram64x1s:l ram64x1s_1:l ram64x2s:l
ram64x8sw:l ramb16:l ramb16_s1:l ramb16_s18:l ramb16_s18_s18:l ramb16_s18_s36:l ramb16_s1_s1:l
ramb16_s1_s18:l ramb16_s1_s2:l ramb16_s1_s36:l ramb16_s1_s4:l ramb16_s1_s9:l ramb16_s2:l
ramb16_s2_s18:l ramb16_s2_s2:l ramb16_s2_s36:l ramb16_s2_s4:l ramb16_s2_s9:l ramb16_s36:l
ramb16_s36_s36:l ramb16_s4:l ramb16_s4_s18:l ramb16_s4_s36:l ramb16_s4_s4:l ramb16_s4_s9:l
ramb16_s9:l ramb16_s9_s18:l ramb16_s9_s36:l ramb16_s9_s9:l ramb16bwe_s18:l ramb16bwe_s18_s18:l
ramb16bwe_s18_s9:l ramb16bwe_s36:l ramb16bwe_s36_s18:l ramb16bwe_s36_s36:l ramb16bwe_s36_s9:l
ramb16bwer:l ramb18:l ramb18e1:l ramb18e2:l ramb18sdp:l ramb32_s64_ecc:l ramb36:l ramb36e1:l
ramb36e2:l ramb36sdp:l ramb4_s1:l ramb4_s16:l ramb4_s16_s16:l ramb4_s1_s1:l ramb4_s1_s16:l
ramb4_s1_s2:l ramb4_s1_s4:l ramb4_s1_s8:l ramb4_s2:l ramb4_s2_s16:l ramb4_s2_s2:l ramb4_s2_s4:l
ramb4_s2_s8:l ramb4_s4:l ramb4_s4_s16:l ramb4_s4_s4:l ramb4_s4_s8:l ramb4_s8:l ramb4_s8_s16:l
ramb4_s8_s8:l ramb8bwer:l rand:sp randc:s randcase:s randomize:t randsequence:s range:h rcmos:v re:o
reads:o real:vp realtime:vp record:h ref:sp reg:vp register:ch reinterpret_cast:c reject:h
reject_on:s release:vhp rem:h repeat:vp report:h requires:c resolveto:a restrict:shp
restrict_guarantee:h return:schp rfadc:l rfdac:l riu_or:l rnmos:v rol:h rom128x1:l rom16x1:l
rom256x1:l rom32x1:l rom64x1:l ror:h rpmos:v rtran:v rtranif0:v rtranif1:v rx_bitslice:l
rxtx_bitslice:l s#:o s#_table:o s_always:s s_eventually:s s_nexttime:s s_until:s s_until_with:s
sb_carry:l sb_dff:l sb_dffe:l sb_dffer:l sb_dffes:l sb_dffesr:l sb_dffess:l sb_dffn:l sb_dffne:l
sb_dffner:l sb_dffnes:l sb_dffnesr:l sb_dffness:l sb_dffnr:l sb_dffns:l sb_dffnsr:l sb_dffnss:l
sb_dffr:l sb_dffs:l sb_dffsr:l sb_dffss:l sb_filter_50ns:l sb_gb:l sb_gb_io:l sb_hfosc:l sb_i2c:l
sb_io:l sb_io_i3c:l sb_io_od:l sb_led_drv_cur:l sb_ledda_ip:l sb_lfosc:l sb_lut4:l sb_mac16:l
sb_pll40_2_pad:l sb_pll40_2f_core:l sb_pll40_2f_pad:l sb_pll40_core:l sb_pll40_pad:l sb_ram40_4k:l
sb_ram40_4knr:l sb_ram40_4knrnw:l sb_ram40_4knw:l sb_rgb_drv:l sb_rgba_drv:l sb_spi:l
sb_spram256ka:l sb_warmboot:l scalared:v select:h semaphore:t sequence:shp severity:h sgsr:l
shared:h short:c shortint:sp shortreal:s showcancelled:v signal:h signed:vcp sin:a sinh:a sizeof:c
sla:h slew:a sll:h small:vp soft:s solve:s specify:v specparam:v spi_access:l split:a sqrt:a sra:h
srl:h srl16:l srl16e:l srlc16:l srlc16e:l srlc32e:l start:o started:o startup_spartan3:l
startup_spartan3a:l startup_spartan3e:l startup_spartan6:l startup_virtex4:l startup_virtex5:l
startup_virtex6:l startupe2:l startupe3:l static:scp static_assert:c static_cast:c std:t step#:o
string:sap strong:shp strong0:v strong1:v struct:scp subtype:h super:sp supply0:vp supply1:vp
suspend_sync:l switch:c sync_accept_on:s sync_reject_on:s sysmon:l sysmone1:l sysmone4:l table:vp
tagged:s tan:a tanh:a task:vp temac:l temac_single:l template:c then:h this:scp thread_local:c
throughout:s throw:c time:vp timeprecision:s timer:a timeunit:s to:h tran:vp tranif0:v tranif1:v
transition:a transport:h trellis_dpr16x4:l trellis_ff:l trellis_io:l trellis_ram16x2:l
trellis_slice:l tri:vp tri0:v tri1:v triand:v trior:v trireg:v true:c try:c tshx2dqa:l tshx2dqsa:l
tx_bitslice:l tx_bitslice_tri:l type:shp typedef:scp typeid:c typename:c unaffected:h union:scp
unique:sp unique0:s units:ah unsigned:vcp until:sh until_with:s untyped:s uram288:l uram288_base:l
use:vhp using:c usr_access_virtex4:l usr_access_virtex5:l usr_access_virtex6:l usr_accesse2:l
usrmclk:l uwire:v var:sp variable:h vcc:l vcu:l vectored:vp virtual:scp vmode:h void:scp volatile:c
vprop:h vunit:h w#_at#:o w#_bank:o w#_data:o w#_en:o w#_happens:o w#_offset:o w#_sum#:o w#_word:o
w#_x#:o waddr:o wait:vhp wait_order:s wand:vp wchar_t:c wdata:o we:o weak:sp weak0:v weak1:v when:h
while:vchp white_noise:a width:o wildcard:s wire:vp with:shp within:s wone:i wor:v wreal:ai wrong#:o
xadc:l xnor:vh xor:vchp xor_eq:c xorcy:l zi_nd:a zi_np:a zi_zd:a zi_zp:a
)";

std::vector<ReservedWord> parsed() {
    std::vector<ReservedWord> words;
    constexpr std::string_view kSpace = " \n";
    for (std::size_t at = kText.find_first_not_of(kSpace); at != std::string_view::npos;) {
        const std::size_t end = kText.find_first_of(kSpace, at);
        const std::string_view entry = kText.substr(at, end - at);
        const std::size_t colon = entry.find(':');
        words.push_back({entry.substr(0, colon), entry.substr(colon + 1)});
        at = kText.find_first_not_of(kSpace, end);
    }
    ENGINE_ASSERT(std::ranges::is_sorted(words, {}, &ReservedWord::word), "words are sorted");
    return words;
}

/// Every run of digits becomes one "#".
std::string withoutDigits(std::string_view word) {
    std::string shape;
    for (const char c : word) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || shape.empty() || shape.back() != '#')
            shape += digit ? '#' : c;
    }
    return shape;
}

std::string_view sourcesOf(std::string_view word) {
    const auto words = reservedWords();
    const auto found = std::ranges::lower_bound(words, word, {}, &ReservedWord::word);
    return found != words.end() && found->word == word ? found->sources : std::string_view();
}

} // namespace

std::string lowerCase(std::string_view word) {
    std::string lower(word);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

std::span<const ReservedWord> reservedWords() {
    static const std::vector<ReservedWord> words = parsed();
    return words;
}

bool isReserved(std::string_view word, std::string_view sources) {
    const std::string lower = lowerCase(word);
    return sourcesOf(lower).find_first_of(sources) != std::string_view::npos ||
           sourcesOf(withoutDigits(lower)).find_first_of(sources) != std::string_view::npos;
}

} // namespace marquetry::rtl
