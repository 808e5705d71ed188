# Reads a project's settings (.qsf) and its constraints (.sdc), as Quartus does. Names of settings and
# their values: Intel 683432. Run in the project's folder.

set stub::folder [file dirname [file normalize [info script]]]
source [file join $stub::folder quartus_common.tcl]
source [file join $stub::folder vivado_xdc.tcl] ;# SDC is what both makers' constraints are

namespace eval stub {
    variable sources {}
    variable memories {}
    variable settings {}
    variable virtual {}
    variable ports {}
}

# "x[*]" stands in settings as it is.
proc * {} { return {[*]} }

set stub::values {
    FAMILY {^(Arria (V|10)|Cyclone (V|10 GX)|Stratix (V|10))$}
    DEVICE {^(10A|10C|5C|5A|5S|1S)[A-Z0-9]+$}
    TOP_LEVEL_ENTITY {^[A-Za-z_][A-Za-z0-9_]*$}
    PROJECT_OUTPUT_DIRECTORY {^[a-z_]+$}
    NUM_PARALLEL_PROCESSORS {^(ALL|[0-9]+)$}
    VERILOG_INPUT_VERSION {^(VERILOG_1995|VERILOG_2001|SYSTEMVERILOG_2005|SYSTEMVERILOG_2009)$}
}
stub::command set_global_assignment {-name value} {value} 1 {
    set name [dict get $opt -name]
    set value [lindex $arg 0]
    switch -- $name {
        VERILOG_FILE { stub::check $name value file $value; lappend stub::sources $value; return }
        MISC_FILE { stub::check $name value file $value; lappend stub::memories $value; return }
        SDC_FILE { stub::check $name value file $value; dict set stub::settings SDC_FILE $value; return }
        SEARCH_PATH { stub::check $name value folder $value; dict set stub::settings SEARCH_PATH $value; return }
    }
    if {![dict exists $stub::values $name]} { stub::fail "set_global_assignment: no setting '$name'" }
    if {![regexp [dict get $stub::values $name] $value]} {
        stub::fail "set_global_assignment: $name is not '$value'"
    }
    if {[dict exists $stub::settings $name]} { stub::fail "set_global_assignment: $name twice" }
    dict set stub::settings $name $value
}
stub::command set_instance_assignment {-name {enum VIRTUAL_PIN} -to value} {{enum ON OFF}} 1 {
    lappend stub::virtual [dict get $opt -to]
}

proc stub::sdc {file} {
    set ::stub::clocks {}
    set reader [interp create -safe]
    foreach name [interp eval $reader {info commands}] {
        if {$name ne "rename"} { interp eval $reader [list rename $name {}] }
    }
    interp eval $reader {rename rename {}}
    foreach {name handler} {
        create_clock stub::createClock get_ports stub::getPorts get_clocks stub::getClocks
        set_false_path stub::falsePath derive_clock_uncertainty stub::deriveUncertainty
    } {
        interp alias $reader $name {} stub::relay $handler
    }
    interp alias $reader set_input_delay {} stub::relay {stub::delay input}
    interp alias $reader set_output_delay {} stub::relay {stub::delay output}
    set stream [open $file]
    set text [read $stream]
    close $stream
    set failed [catch {interp eval $reader $text} message]
    interp delete $reader
    if {$failed} { fail "[file tail $file]: $message" }
    stub::everyPortIsTimed $file
}
proc stub::deriveUncertainty {arguments} {
    parse derive_clock_uncertainty {-overwrite flag -add flag} {} 0 $arguments
}

proc stub::atEnd {} {
    variable settings
    foreach name {FAMILY DEVICE TOP_LEVEL_ENTITY SDC_FILE} {
        if {![dict exists $settings $name]} { fail "$name is not set" }
    }
    set ports [modulePorts settings $::stub::sources [dict get $settings TOP_LEVEL_ENTITY]]
    checkMemoriesOf settings $::stub::sources $::stub::memories
    if {$::stub::memories ne {} && ![dict exists $settings SEARCH_PATH]} {
        fail "memories are not found without SEARCH_PATH"
    }
    set ::stub::ports [dict map {name facts} $ports {
        list [string tolower [lindex $facts 0]] [expr {[lindex $facts 1] == 1 ? "" : [lindex $facts 1] - 1}]
    }]
    sdc [dict get $settings SDC_FILE]
    dict for {name facts} $ports {
        set pin [expr {[lindex $facts 1] == 1 ? $name : "$name\[*\]"}]
        if {($pin in $::stub::virtual) == ($name in $::stub::clocks)} {
            fail "port '$pin': a clock has a pin, all others are virtual"
        }
    }
    if {[llength $::stub::virtual] != [dict size $ports] - 1} { fail "a virtual pin is no port" }
}
