# Runs a script of qsys-script: Intel 683364, "Platform Designer Scripting". Interfaces of Intel's
# components as their user guides have them; those of ours are read from the _hw.tcl in the folder.

namespace eval stub {
    variable system ""
    variable instances {} ;# name → kind
    variable exports {}
    variable addresses {} ;# "master" → list of {low high slave}
    variable connected {}
    variable sinkClock {}
    variable saved 0
}

proc package {args} {
    if {[lrange $args 0 2] ne {require -exact qsys}} { stub::fail "package: $args" }
}

# kind → interface → {type end span}; "end" takes, "start" drives.
set stub::kinds {
    altera_clock_bridge {in_clk {clock end} out_clk {clock start}}
    altera_reset_bridge {clk {clock end} in_reset {reset end} out_reset {reset start}}
    altera_jtag_avalon_master {clk {clock end} clk_reset {reset end} master {avalon start}}
    altera_avalon_onchip_memory2 {clk1 {clock end} reset1 {reset end} s1 {avalon end 0x10000}}
    altera_msgdma {clock {clock end} reset_n {reset end} csr {avalon end 0x20} descriptor_slave {avalon end 0x10}}
}
set stub::parameters {
    altera_clock_bridge {EXPLICIT_CLOCK_RATE {[0-9]+}}
    altera_reset_bridge {ACTIVE_LOW_RESET [01] SYNCHRONOUS_EDGES (none|both|deassert)}
    altera_jtag_avalon_master {}
    altera_avalon_onchip_memory2 {dataWidth (8|16|32|64|128|256|512|1024) memorySize {[0-9]+} initMemContent [01]}
    altera_msgdma {MODE [012] DATA_WIDTH (8|16|32|64|128|256|512|1024) DATA_FIFO_DEPTH (16|32|64|128)
        DESCRIPTOR_FIFO_DEPTH (8|16|32|64|128) RESPONSE_PORT [012] MAX_BYTE {[0-9]+} BURST_ENABLE [01]
        TRANSFER_TYPE {(Aligned Accesses|Unaligned Accesses|Full Word Accesses Only)} PACKET_ENABLE [01]}
}

# The interfaces of a component of ours, and the bits of its streams' data.
proc stub::component {kind} {
    foreach file [glob -nocomplain *_hw.tcl] {
        set stream [open $file]
        set text [read $stream]
        close $stream
        if {![regexp "\nset_module_property NAME ${kind}\n" $text]} continue
        set all {}
        foreach {line name type end} [regexp -all -inline -line {^add_interface (\S+) (\S+) (start|end)$} $text] {
            set bits 0
            regexp -line "^add_interface_port $name \\S+ data (?:Input|Output) (\\d+)$" $text line bits
            dict set all $name [list [expr {$type eq "axi4lite" ? "avalon" : $type}] $end [expr {$type eq "axi4lite" ? 0x1000 : $bits}]]
        }
        return $all
    }
    fail "add_instance: no component '$kind'"
}

stub::command create_system {} {name} 0 { set stub::system [lindex $arg 0] }
stub::command set_project_property {} {{enum DEVICE DEVICE_FAMILY HIDE_FROM_IP_CATALOG} value} 2 {}
stub::command add_instance {} {name value value} 2 {
    lassign $arg name kind
    if {[dict exists $stub::instances $name]} { stub::fail "add_instance: '$name' twice" }
    if {![dict exists $stub::kinds $kind]} {
        dict set stub::kinds $kind [stub::component $kind]
        dict set stub::parameters $kind {}
    }
    dict set stub::instances $name [list $kind {}]
}
stub::command set_instance_parameter_value {} {name value value} 3 {
    lassign $arg name parameter value
    if {![dict exists $stub::instances $name]} { stub::fail "set_instance_parameter_value: no '$name'" }
    lassign [dict get $stub::instances $name] kind set
    if {![dict exists $stub::parameters $kind $parameter]} {
        stub::fail "set_instance_parameter_value: $kind has no '$parameter'"
    }
    if {![regexp "^[dict get $stub::parameters $kind $parameter]$" $value]} {
        stub::fail "set_instance_parameter_value: $parameter of $kind is not '$value'"
    }
    dict set set $parameter $value
    dict set stub::instances $name [list $kind $set]
}

# {type end facts} of "instance.interface".
proc stub::end {command path} {
    lassign [split $path .] instance interface
    if {![dict exists $::stub::instances $instance]} { fail "$command: no instance '$instance'" }
    lassign [dict get $::stub::instances $instance] kind set
    set all [dict get $::stub::kinds $kind]
    if {$kind eq "altera_msgdma" && [dict exists $set MODE]} {
        set bits [dict get $set DATA_WIDTH]
        if {[dict get $set MODE] == 1} {
            dict set all mm_read {avalon start}
            dict set all st_source [list avalon_streaming start $bits]
        } else {
            dict set all mm_write {avalon start}
            dict set all st_sink [list avalon_streaming end $bits]
        }
    }
    if {![dict exists $all $interface]} { fail "$command: '$instance' ($kind) has no '$interface'" }
    return [dict get $all $interface]
}
stub::command add_connection {} {value value value} 2 {
    lassign $arg from to
    lassign [stub::end add_connection $from] type end facts
    lassign [stub::end add_connection $to] toType toEnd toFacts
    if {$type ne $toType || $end ne "start" || $toEnd ne "end"} {
        stub::fail "add_connection: '$from' ($type $end) to '$to' ($toType $toEnd)"
    }
    if {$type eq "avalon_streaming" && $facts != $toFacts} {
        stub::fail "add_connection: '$from' has $facts bits, '$to' $toFacts"
    }
    if {"$from/$to" in $stub::connected} { stub::fail "add_connection: '$from/$to' twice" }
    if {$type ne "avalon"} { lappend stub::driven $to }
    lappend stub::connected $from/$to
}
stub::command set_connection_parameter_value {} {value {enum baseAddress arbitrationPriority defaultConnection} value} 3 {
    lassign $arg connection parameter value
    if {$connection ni $stub::connected} { stub::fail "set_connection_parameter_value: no '$connection'" }
    if {$parameter ne "baseAddress"} return
    lassign [split $connection /] master slave
    set span [lindex [stub::end baseAddress $slave] 2]
    if {$value % $span != 0} { stub::fail "baseAddress: $value of '$slave' is no multiple of $span" }
    foreach range [expr {[dict exists $stub::addresses $master] ? [dict get $stub::addresses $master] : {}}] {
        lassign $range low high other
        if {$value < $high && $value + $span > $low} { stub::fail "baseAddress: '$slave' meets '$other'" }
    }
    dict lappend stub::addresses $master [list [expr {$value}] [expr {$value + $span}] $slave]
}
stub::command add_interface {} {name {enum clock reset interrupt conduit avalon} {enum sink source end start}} 3 {
    dict set stub::exports [lindex $arg 0] {}
}
stub::command set_interface_property {} {name {enum EXPORT_OF} value} 3 {
    lassign $arg name property of
    if {![dict exists $stub::exports $name]} { stub::fail "set_interface_property: no '$name'" }
    stub::end EXPORT_OF $of
    lappend stub::driven $of
}
stub::command save_system {} {value} 0 { set stub::saved 1 }

# What has a clock, a reset or a stream has it connected, once.
proc stub::atEnd {} {
    if {!$::stub::saved} { fail "the system is not saved" }
    dict for {name facts} $::stub::instances {
        dict for {interface what} [dict get $::stub::kinds [lindex $facts 0]] {
            lassign $what type end
            set path $name.$interface
            if {$type in {clock reset} && $end eq "end"} {
                if {[llength [lsearch -all -exact $::stub::driven $path]] != 1} { fail "'$path' is not driven once" }
            }
            if {$type in {avalon avalon_streaming conduit} && $path ni $::stub::driven
                && [lsearch $::stub::connected *$path] < 0 && [lsearch $::stub::connected $path/*] < 0} {
                fail "'$path' is not connected"
            }
        }
    }
}
