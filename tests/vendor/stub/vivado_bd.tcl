# Stand-ins of block designs (UG994): cells have the pins of their configuration, nets join pins that
# fit, and a design is valid when no input, slave or address is left over.

namespace eval stub {
    variable catalogue {} ;# vlnv of the cores that the project sees
    variable design ""
    variable cells {}     ;# name → vlnv and settings
    variable joined {}    ;# interface pin → the other end
    variable driven {}    ;# input pin → driver
    variable mapped {}    ;# segment → {offset range}
    variable wrappers {}
}

# Settings that a script may give, with their defaults; what makes them, below.
set stub::ipSettings {
    processing_system7 {
        PCW_USE_M_AXI_GP0 1 PCW_USE_S_AXI_HP0 0 PCW_USE_S_AXI_HP1 0 PCW_USE_FABRIC_INTERRUPT 0 PCW_IRQ_F2P_INTR 0
        PCW_FPGA0_PERIPHERAL_FREQMHZ 50
    }
    zynq_ultra_ps_e {
        PSU__USE__M_AXI_GP0 1 PSU__USE__M_AXI_GP1 1 PSU__USE__M_AXI_GP2 0 PSU__USE__S_AXI_GP2 0 PSU__USE__S_AXI_GP3 0 PSU__USE__IRQ0 0
        PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ 100
    }
    proc_sys_reset {}
    smartconnect {NUM_SI 1 NUM_MI 1 NUM_CLKS 1}
    xlconcat {NUM_PORTS 2}
    ilconcat {NUM_PORTS 2}
    axi_dma {
        c_include_sg 1 c_sg_include_stscntrl_strm 0 c_sg_length_width 14 c_include_mm2s 1 c_include_s2mm 1
        c_m_axi_mm2s_data_width 32 c_m_axis_mm2s_tdata_width 32 c_m_axi_s2mm_data_width 32
    }
}
set stub::versions {
    processing_system7 5.5 zynq_ultra_ps_e 3.5 proc_sys_reset 5.0 smartconnect 1.0 xlconcat 2.1 axi_dma 7.1 ilconcat 1.0
}

# Pins of a cell: "pin kind": in, out, and interfaces axis or aximm with -m or -s.
proc stub::pinsOf {cell} {
    lassign [dict get $::stub::cells $cell] vlnv settings
    set ip [lindex [split $vlnv :] 2]
    if {$vlnv eq [option $::stub::coreModel vlnv]} { return [corePins] }
    return [pinsOf_$ip $settings]
}
proc stub::corePins {} {
    set pins {}
    foreach {name facts} [dict get $::stub::coreModel interfaces] {
        lassign $facts bus mode
        switch -- $bus {
            interface:axis { dict set pins $name axis-[string index $mode 0] }
            interface:aximm { dict set pins $name aximm-[string index $mode 0] }
            default { dict set pins $name [expr {$mode eq "slave" ? "in" : "out"}] }
        }
    }
    return $pins
}
proc stub::when {settings name args} {
    return [expr {[dict get $settings $name] ? $args : {}}]
}
proc stub::pinsOf_processing_system7 {s} {
    return [list FCLK_CLK0 out FCLK_RESET0_N out {*}[when $s PCW_USE_M_AXI_GP0 M_AXI_GP0 aximm-m M_AXI_GP0_ACLK in] \
        {*}[when $s PCW_USE_S_AXI_HP0 S_AXI_HP0 aximm-s S_AXI_HP0_ACLK in] \
        {*}[when $s PCW_USE_S_AXI_HP1 S_AXI_HP1 aximm-s S_AXI_HP1_ACLK in] \
        {*}[expr {[dict get $s PCW_USE_FABRIC_INTERRUPT] && [dict get $s PCW_IRQ_F2P_INTR] ? {IRQ_F2P in} : {}}]]
}
proc stub::pinsOf_zynq_ultra_ps_e {s} {
    return [list pl_clk0 out pl_resetn0 out \
        {*}[when $s PSU__USE__M_AXI_GP0 M_AXI_HPM0_FPD aximm-m maxihpm0_fpd_aclk in] \
        {*}[when $s PSU__USE__M_AXI_GP1 M_AXI_HPM1_FPD aximm-m maxihpm1_fpd_aclk in] \
        {*}[when $s PSU__USE__M_AXI_GP2 M_AXI_HPM0_LPD aximm-m maxihpm0_lpd_aclk in] \
        {*}[when $s PSU__USE__S_AXI_GP2 S_AXI_HP0_FPD aximm-s saxihp0_fpd_aclk in] \
        {*}[when $s PSU__USE__S_AXI_GP3 S_AXI_HP1_FPD aximm-s saxihp1_fpd_aclk in] \
        {*}[when $s PSU__USE__IRQ0 pl_ps_irq0 in]]
}
proc stub::pinsOf_proc_sys_reset {s} {
    return {slowest_sync_clk in ext_reset_in in peripheral_aresetn out interconnect_aresetn out}
}
proc stub::pinsOf_smartconnect {s} {
    set pins {aclk in aresetn in}
    for {set k 0} {$k < [dict get $s NUM_SI]} {incr k} { lappend pins [format S%02d_AXI $k] aximm-s }
    for {set k 0} {$k < [dict get $s NUM_MI]} {incr k} { lappend pins [format M%02d_AXI $k] aximm-m }
    return $pins
}
proc stub::pinsOf_xlconcat {s} {
    set pins {dout out}
    for {set k 0} {$k < [dict get $s NUM_PORTS]} {incr k} { lappend pins In$k in }
    return $pins
}
proc stub::pinsOf_ilconcat {s} {
    return [pinsOf_xlconcat $s]
}
proc stub::pinsOf_axi_dma {s} {
    if {[dict get $s c_include_sg]} { fail "axi_dma: scatter and gather has ports that nobody serves" }
    return [list s_axi_lite_aclk in axi_resetn in S_AXI_LITE aximm-s \
        {*}[when $s c_include_mm2s m_axi_mm2s_aclk in M_AXI_MM2S aximm-m M_AXIS_MM2S axis-m mm2s_introut out] \
        {*}[when $s c_include_s2mm m_axi_s2mm_aclk in M_AXI_S2MM aximm-m S_AXIS_S2MM axis-s s2mm_introut out]]
}

# --- catalogue ---

stub::command update_ip_catalog {-rebuild flag -quiet flag} {} 0 {
    set stub::catalogue {}
    foreach folder $stub::repositories {
        if {[file normalize $folder] eq [file normalize [stub::option $stub::coreModel folder]]} {
            lappend stub::catalogue [dict get $stub::coreModel vlnv]
        }
    }
}
proc stub::libraryOf {ip} {
    return [expr {$ip eq "ilconcat" ? "inline_hdl" : "ip"}]
}
stub::command get_ipdefs {-all flag -quiet flag -filter value} {} 0 {
    if {![regexp {^VLNV =~ (\S+) && UPGRADE_VERSIONS == ""$} [stub::option $opt -filter] all pattern]} {
        stub::fail "get_ipdefs: what is the filter '[stub::option $opt -filter]'?"
    }
    set all $stub::catalogue
    foreach {ip version} $stub::versions { lappend all xilinx.com:[stub::libraryOf $ip]:$ip:$version }
    if {[info exists ::env(STUB_INLINE)]} { set all [lsearch -all -inline -not $all *:xlconcat:*] }
    return [lsearch -all -inline $all $pattern]
}

# --- cells and nets ---

stub::command create_bd_design {} {name} 1 {
    stub::needProject create_bd_design
    if {$stub::design ne ""} { stub::fail "create_bd_design: one is open" }
    set stub::design [lindex $arg 0]
}
proc stub::needBlockDesign {command} {
    if {$::stub::design eq ""} { fail "$command: no block design is open" }
}
stub::command create_bd_cell {-type {enum ip inline_hdl} -vlnv value} {name} 1 {
    stub::needBlockDesign create_bd_cell
    set name [lindex $arg 0]
    set vlnv [dict get $opt -vlnv]
    if {[dict exists $stub::cells $name]} { stub::fail "create_bd_cell: there is '$name'" }
    lassign [split $vlnv :] vendor library ip version
    set settings {}
    if {$vlnv ni $stub::catalogue} {
        if {"$vendor:$library" ne "xilinx.com:[stub::libraryOf $ip]" || [stub::option $stub::versions $ip] ne $version} {
            stub::fail "create_bd_cell: no core '$vlnv'"
        }
        set settings [dict get $stub::ipSettings $ip]
    }
    if {([dict get $opt -type] eq "inline_hdl") != ($library eq "inline_hdl")} { stub::fail "create_bd_cell: $vlnv is no [dict get $opt -type]" }
    dict set stub::cells $name [list $vlnv $settings]
    return [stub::object cell $name {}]
}
dict set stub::propertiesOf cell {}
proc stub::set_cell {name value object} {
    lassign [dict get $::stub::cells [lindex $object 1]] vlnv settings
    if {[regexp {^CONFIG\.(.+)\.VALUE_SRC$} $name all setting] && [dict exists $settings $setting] && $value eq "USER"} return
    if {![regexp {^CONFIG\.(.+)$} $name all setting] || ![dict exists $settings $setting]} {
        fail "set_property: $vlnv has no '$name'"
    }
    check set_property $name number $value
    dict set settings $setting $value
    dict set ::stub::cells [lindex $object 1] [list $vlnv $settings]
}
stub::command apply_bd_automation {-rule value -config value} {value} 1 {
    set cell [lindex $arg 0]
    stub::alive apply_bd_automation $cell
    lassign [split [lindex [dict get $stub::cells [lindex $cell 1]] 0] :] vendor library ip
    if {[dict get $opt -rule] ne "xilinx.com:bd_rule:$ip"} { stub::fail "apply_bd_automation: no rule '[dict get $opt -rule]'" }
    foreach {name value} [dict get $opt -config] {
        if {$name ni {make_external apply_board_preset Master Slave}} { stub::fail "apply_bd_automation: '$name'" }
    }
    set preset [stub::option [dict get $opt -config] apply_board_preset 0]
    if {$preset && ![dict exists $stub::objects([list project [lindex $stub::project 0]]) board_part]} {
        stub::fail "apply_bd_automation: no board to take a preset of"
    }
}
proc stub::pin {command path interface} {
    lassign [split $path /] cell pin
    if {![dict exists $::stub::cells $cell]} { fail "$command: no cell '$cell'" }
    set pins [pinsOf $cell]
    if {![dict exists $pins $pin]} { fail "$command: '$cell' has no '$pin'" }
    if {[string match *-* [dict get $pins $pin]] != $interface} { fail "$command: '$path' is a [dict get $pins $pin]" }
    return $path
}
stub::command get_bd_pins {-quiet flag} {value} 1 { return [stub::pin get_bd_pins [lindex $arg 0] 0] }
stub::command get_bd_intf_pins {-quiet flag} {value} 1 { return [stub::pin get_bd_intf_pins [lindex $arg 0] 1] }
proc stub::kindOf {path} {
    lassign [split $path /] cell pin
    return [dict get [pinsOf $cell] $pin]
}
stub::command connect_bd_intf_net {} {value value} 2 {
    lassign $arg from to
    lassign [split [stub::kindOf $from] -] bus mode
    lassign [split [stub::kindOf $to] -] otherBus otherMode
    if {$bus ne $otherBus || $mode ne "m" || $otherMode ne "s"} { stub::fail "connect_bd_intf_net: $from ($bus $mode) to $to ($otherBus $otherMode)" }
    foreach end $arg {
        if {[dict exists $stub::joined $end]} { stub::fail "connect_bd_intf_net: '$end' is joined" }
    }
    dict set stub::joined $from $to
    dict set stub::joined $to $from
}
stub::command connect_bd_net {} {value value value value value value} 2 {
    set driver [lindex $arg 0]
    if {[stub::kindOf $driver] ne "out"} { stub::fail "connect_bd_net: '$driver' drives nothing" }
    foreach pin [lrange $arg 1 end] {
        if {[stub::kindOf $pin] ne "in"} { stub::fail "connect_bd_net: '$pin' is no input" }
        if {[dict exists $stub::driven $pin]} { stub::fail "connect_bd_net: '$pin' is driven" }
        dict set stub::driven $pin $driver
    }
}

# --- addresses ---

stub::command get_bd_addr_spaces {-quiet flag} {value} 1 {
    if {[lindex $arg 0] ne "processor/Data"} { stub::fail "get_bd_addr_spaces: no '[lindex $arg 0]'" }
    return [lindex $arg 0]
}
# Segments of slaves with registers.
proc stub::segments {} {
    set all {}
    dict for {cell facts} $::stub::cells {
        set vlnv [lindex $facts 0]
        if {$vlnv eq [option $::stub::coreModel vlnv]} {
            foreach segment [dict get $::stub::coreModel segments] { lappend all $cell/$segment }
        } elseif {[string match *:axi_dma:* $vlnv]} {
            lappend all $cell/S_AXI_LITE/Reg
        }
    }
    return $all
}
stub::command get_bd_addr_segs {-quiet flag} {value} 1 {
    if {[lindex $arg 0] ni [stub::segments]} { stub::fail "get_bd_addr_segs: no '[lindex $arg 0]' among [stub::segments]" }
    return [lindex $arg 0]
}
stub::command assign_bd_address {-offset int -range int -target_address_space value -force flag} {value} 0 {
    stub::needBlockDesign assign_bd_address
    if {[llength $arg] == 0} { set stub::rest 1; return }
    set offset [dict get $opt -offset]
    set range [dict get $opt -range]
    if {$range < 4096 || $range & ($range - 1) || $offset % $range} { stub::fail "assign_bd_address: $offset, $range" }
    dict for {other place} $stub::mapped {
        lassign $place begin length
        if {$offset < $begin + $length && $begin < $offset + $range} { stub::fail "assign_bd_address: [lindex $arg 0] overlaps $other" }
    }
    dict set stub::mapped [lindex $arg 0] [list $offset $range]
}

stub::command regenerate_bd_layout {} {} 0 { stub::needBlockDesign regenerate_bd_layout }
stub::command validate_bd_design {-force flag} {} 0 {
    stub::needBlockDesign validate_bd_design
    dict for {cell facts} $stub::cells {
        foreach {pin kind} [stub::pinsOf $cell] {
            set path $cell/$pin
            if {$kind eq "in" && ![dict exists $stub::driven $path]} { stub::fail "validate_bd_design: nothing drives $path" }
            if {[string match *-* $kind] && ![dict exists $stub::joined $path]} { stub::fail "validate_bd_design: $path is open" }
        }
    }
    foreach segment [stub::segments] {
        if {![dict exists $stub::mapped $segment]} { stub::fail "validate_bd_design: $segment has no address" }
    }
    if {![info exists stub::rest]} { stub::fail "validate_bd_design: DMAs see no memory" }
    stub::checkDmas
    stub::object validated $stub::design {}
}
# PG021: words of the stream are no wider than those of the memory.
proc stub::checkDmas {} {
    dict for {cell facts} $::stub::cells {
        lassign $facts vlnv settings
        if {![string match *:axi_dma:* $vlnv]} continue
        foreach name {c_m_axi_mm2s_data_width c_m_axi_s2mm_data_width} {
            if {[dict get $settings $name] ni {32 64 128 256 512 1024}} { fail "$cell: $name [dict get $settings $name]" }
        }
        if {[dict get $settings c_include_mm2s] && [dict get $settings c_m_axis_mm2s_tdata_width] > [dict get $settings c_m_axi_mm2s_data_width]} {
            fail "$cell: the stream is wider than the memory"
        }
    }
}
proc stub::bdFolder {kind} {
    return [file join [lindex $::stub::project 1] [lindex $::stub::project 0].$kind sources_1 bd $::stub::design]
}
stub::command save_bd_design {} {} 0 {
    stub::alive save_bd_design [list validated $stub::design]
    set file [file join [stub::bdFolder srcs] $stub::design.bd]
    stub::touch $file
    lappend stub::sources $file
}
stub::command generate_target {-force flag} {{enum all synthesis} value} 2 {
    set kind [expr {[info exists ::env(STUB_OLD)] ? "srcs" : "gen"}]
    if {![info exists ::env(STUB_NO_HANDOFF)]} { stub::touch [file join [stub::bdFolder $kind] hw_handoff $stub::design.hwh] }
}
stub::command make_wrapper {-files files -top flag -import flag} {} 0 {
    set file [file join [stub::bdFolder gen] hdl ${stub::design}_wrapper.v]
    stub::touch $file
    lappend stub::wrappers ${stub::design}_wrapper
    return $file
}
# Whether the ports of TOP are pins: those of a processor are.
proc stub::bdPins {top} {
    return [expr {$top in $::stub::wrappers}]
}
