# Reads a component of Platform Designer (_hw.tcl): Intel 683364, "Component Interface Tcl Reference".
# Every port of the top is of one interface, with its direction and width. Run in its folder.

source [file join [file dirname [file normalize [info script]]] quartus_common.tcl]

namespace eval stub {
    variable module {}
    variable filesets {} ;# kind → {top files memories}
    variable fileset ""
    variable interfaces {} ;# name → {type end properties ports}
}

proc package {args} {
    if {[lrange $args 0 2] ne {require -exact qsys}} { stub::fail "package: $args" }
}

set stub::moduleProperties {NAME VERSION DISPLAY_NAME DESCRIPTION GROUP AUTHOR EDITABLE INTERNAL INSTANTIATE_IN_SYSTEM_MODULE}
stub::command set_module_property {} {value value} 2 {
    if {[lindex $arg 0] ni $stub::moduleProperties} { stub::fail "set_module_property: no '[lindex $arg 0]'" }
    dict set stub::module [lindex $arg 0] [lindex $arg 1]
}
stub::command add_fileset {} {name {enum QUARTUS_SYNTH SIM_VERILOG SIM_VHDL} value value} 2 {
    set stub::fileset [lindex $arg 0]
    if {[dict exists $stub::filesets $stub::fileset]} { stub::fail "add_fileset: '$stub::fileset' twice" }
    dict set stub::filesets $stub::fileset {{} {} {}}
}
stub::command set_fileset_property {} {name {enum TOP_LEVEL ENABLE_RELATIVE_INCLUDE_PATHS} value} 3 {
    lassign $arg fileset property value
    lassign [dict get $stub::filesets $fileset] top files memories
    dict set stub::filesets $fileset [list $value $files $memories]
}
# Names in a fileset are apart; a memory's is the one that is read.
stub::command add_fileset_file {} {value {enum VERILOG SYSTEM_VERILOG VHDL OTHER SDC MIF HEX} {enum PATH TEXT} file value} 4 {
    lassign $arg name type how path
    lassign [dict get $stub::filesets $stub::fileset] top files memories
    if {[file tail $path] ne $name} { stub::fail "add_fileset_file: '$name' is not '$path'" }
    if {$path in $files || $path in $memories} { stub::fail "add_fileset_file: '$path' twice" }
    lappend [expr {$type eq "VERILOG" ? "files" : "memories"}] $path
    dict set stub::filesets $stub::fileset [list $top $files $memories]
}

set stub::roles {
    clock {clk} reset {reset reset_n} interrupt {irq irq_n} conduit {export}
    axi4stream {tdata tvalid tready tlast tkeep tstrb tid tdest tuser}
    avalon_streaming {data valid ready startofpacket endofpacket empty channel error}
    axi4 {araddr arlen arsize arburst arcache arprot arvalid arready rdata rresp rlast rvalid rready
          awaddr awlen awsize awburst awcache awprot awvalid awready wdata wstrb wlast wvalid wready
          bresp bvalid bready}
    avalon {address read burstcount waitrequest readdata readdatavalid response
            write writedata byteenable writeresponsevalid}
    axi4lite {awaddr awprot awvalid awready wdata wstrb wvalid wready bresp bvalid bready
              araddr arprot arvalid arready rdata rresp rvalid rready}
}
set stub::needed {
    clock {clk} interrupt {irq} axi4stream {tdata tvalid tready} avalon_streaming {data valid ready}
    axi4lite {awaddr awvalid awready wdata wvalid wready bvalid bready araddr arvalid arready rdata rvalid rready}
    axi4 {araddr arlen arvalid arready rdata rlast rvalid rready}
    avalon {address read burstcount waitrequest readdata readdatavalid}
    reset {reset_n} conduit {export}
}
# Of those that write.
set stub::neededWrites {
    axi4 {awaddr awlen awvalid awready wdata wlast wvalid wready bvalid bready}
    avalon {write writedata byteenable writeresponsevalid}
}
set stub::properties {
    associatedClock associatedReset synchronousEdges associatedAddressablePoint dataBitsPerSymbol
    firstSymbolInHighOrderBits readyLatency readIssuingCapability writeIssuingCapability addressUnits
}
stub::command add_interface {} {name {enum clock reset interrupt conduit axi4stream avalon_streaming axi4lite axi4 avalon} {enum start end}} 3 {
    if {[dict exists $stub::interfaces [lindex $arg 0]]} { stub::fail "add_interface: '[lindex $arg 0]' twice" }
    dict set stub::interfaces [lindex $arg 0] [list {*}[lrange $arg 1 2] {} {}]
}
proc stub::interface {command name} {
    if {![dict exists $::stub::interfaces $name]} { fail "$command: no interface '$name'" }
    return [dict get $::stub::interfaces $name]
}
stub::command set_interface_property {} {name value value} 3 {
    lassign $arg name property value
    lassign [stub::interface set_interface_property $name] type end properties ports
    if {$property ni $stub::properties} { stub::fail "set_interface_property: no '$property'" }
    if {$property in {associatedClock associatedReset}} {
        set kind [lindex [stub::interface $property $value] 0]
        if {$kind ne [string tolower [string range $property 10 end]]} { stub::fail "$property: '$value' is a $kind" }
    }
    dict set properties $property $value
    dict set stub::interfaces $name [list $type $end $properties $ports]
}
stub::command add_interface_port {} {name name value {enum Input Output} int} 5 {
    lassign $arg name port role direction bits
    lassign [stub::interface add_interface_port $name] type end properties ports
    if {$role ni [dict get $stub::roles $type]} { stub::fail "add_interface_port: a $type has no '$role'" }
    if {[dict exists $ports $role]} { stub::fail "add_interface_port: '$role' of '$name' twice" }
    dict set ports $role [list $port $direction $bits]
    dict set stub::interfaces $name [list $type $end $properties $ports]
}

proc stub::checkInterface {name facts} {
    lassign $facts type end properties ports
    foreach role [dict get $::stub::needed $type] {
        if {![dict exists $ports $role]} { fail "interface '$name' has no $role" }
    }
    if {$type ni {clock reset} && ![dict exists $properties associatedClock]} { fail "interface '$name' has no clock" }
    if {$type in {axi4stream avalon_streaming}} {
        set valid [dict get $ports [expr {$type eq "axi4stream" ? "tvalid" : "valid"}]]
        if {[lindex $valid 1] ne ($end eq "end" ? "Input" : "Output")} { fail "interface '$name' is no $end" }
    }
    if {$type in {axi4 avalon}} {
        set asks [dict get $ports [expr {$type eq "axi4" ? "arvalid" : "read"}]]
        if {[lindex $asks 1] ne ($end eq "end" ? "Input" : "Output")} { fail "interface '$name' is no $end" }
        set needed [dict get $::stub::neededWrites $type]
        if {[llength [lmap role $needed {if {[dict exists $ports $role]} {set role} else continue}]] % [llength $needed]} {
            fail "interface '$name' writes in part"
        }
    }
    if {$type eq "avalon_streaming" && [dict exists $ports endofpacket] != [dict exists $ports startofpacket]} {
        fail "interface '$name' has one end of packets"
    }
    if {$type eq "interrupt" && ![dict exists $properties associatedAddressablePoint]} { fail "interface '$name' has no slave" }
}

proc stub::atEnd {} {
    foreach property {NAME VERSION} {
        if {![dict exists $::stub::module $property]} { fail "no $property" }
    }
    if {![dict exists $::stub::filesets QUARTUS_SYNTH]} { fail "no fileset for synthesis" }
    set used {}
    dict for {name facts} $::stub::interfaces {
        checkInterface $name $facts
        dict for {role port} [lindex $facts 3] { lappend used [lindex $port 0] [lrange $port 1 2] }
    }
    dict for {kind fileset} $::stub::filesets {
        lassign $fileset top files memories
        set ports [modulePorts $kind $files $top]
        checkMemoriesOf $kind $files $memories
        if {[llength $used] != 2 * [dict size $ports]} { fail "$kind: not every port is of one interface" }
        foreach {port facts} $used {
            if {![dict exists $ports $port] || [dict get $ports $port] ne $facts} {
                fail "$kind: '$port' is $facts, and in the module not"
            }
        }
    }
}
