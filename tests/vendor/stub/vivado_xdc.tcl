# Reads constraints as Vivado does: commands of constraints and queries alone, no flow of control
# (UG903). Every port that is named exists.

namespace eval stub {
    variable clocks {}
    variable delays {} ;# "input|output port" of what has a delay
    variable cut {}    ;# ports that a false path ends at
}

# Names of single ports: vectors are "x[0]" and so on.
proc stub::bits {} {
    set all {}
    dict for {name facts} $::stub::ports {
        lassign $facts direction left
        if {$left eq ""} {
            lappend all $name $direction
        } else {
            for {set k 0} {$k <= $left} {incr k} { lappend all "$name\[$k\]" $direction }
        }
    }
    return $all
}

# "x[*]" is the vector x: brackets are no set of characters.
proc stub::getPorts {arguments} {
    lassign [parse get_ports {-quiet flag} {value} 1 $arguments] options rest
    set found {}
    foreach pattern [lindex $rest 0] {
        set glob [string map {\[ \\[ \] \\]} $pattern]
        set some {}
        foreach {name direction} [bits] {
            if {[string match $glob $name]} { lappend some $name }
        }
        if {$some eq {} && ![dict exists $options -quiet]} { fail "get_ports: no port '$pattern'" }
        lappend found {*}$some
    }
    return $found
}

proc stub::getClocks {arguments} {
    lassign [parse get_clocks {-quiet flag} {value} 1 $arguments] options rest
    if {[lindex $rest 0] ni $::stub::clocks} { fail "get_clocks: no clock '[lindex $rest 0]'" }
    return [lindex $rest 0]
}

proc stub::createClock {arguments} {
    lassign [parse create_clock {-name value -period number -waveform value -add flag} {value} 1 $arguments] options rest
    if {[dict get $options -period] <= 0} { fail "create_clock: period [dict get $options -period]" }
    if {[llength [lindex $rest 0]] != 1} { fail "create_clock: not one port" }
    lappend ::stub::clocks [dict get $options -name]
}

proc stub::delay {direction arguments} {
    lassign [parse set_${direction}_delay {-clock value -max flag -min flag -add_delay flag} {number value} 2 $arguments] options rest
    if {[option $options -clock] ni $::stub::clocks} { fail "set_${direction}_delay: no clock" }
    if {[dict exists $options -max] == [dict exists $options -min]} { fail "set_${direction}_delay: -max or -min" }
    foreach port [lindex $rest 1] {
        set facts [dict get [stub::bits] $port]
        if {$facts ne $direction} { fail "set_${direction}_delay: '$port' is an $facts" }
        lappend ::stub::delays "$direction [lindex [dict keys $options -m*] 0] $port"
    }
}

proc stub::falsePath {arguments} {
    lassign [parse set_false_path {-from value -to value -through value} {} 0 $arguments] options rest
    if {$options eq {}} { fail "set_false_path: of what?" }
    lappend ::stub::cut {*}[option $options -to]
}

proc stub::setPin {arguments} {
    lassign [parse set_property {-dict value} {value value value} 1 $arguments] options rest
}

proc stub::xdc {file} {
    set ::stub::clocks {}
    set reader [interp create -safe]
    foreach name [interp eval $reader { info commands }] { interp hide $reader $name }
    foreach {name handler} {
        create_clock stub::createClock get_ports stub::getPorts get_clocks stub::getClocks
        set_false_path stub::falsePath set_property stub::setPin
    } {
        interp alias $reader $name {} stub::relay $handler
    }
    interp alias $reader set_input_delay {} stub::relay {stub::delay input}
    interp alias $reader set_output_delay {} stub::relay {stub::delay output}
    set stream [open $file]
    set text [read $stream]
    close $stream
    if {![info complete $text]} { fail "$file: it ends within a command" }
    set failed [catch {interp eval $reader $text} message]
    interp delete $reader
    if {$failed} { fail "[file tail $file]: $message" }
    stub::everyPortIsTimed $file
}
proc stub::relay {handler args} {
    return [{*}$handler $args]
}

# All ports but the clocks have delays, or end false paths.
proc stub::everyPortIsTimed {file} {
    if {$::stub::clocks eq {}} { fail "[file tail $file]: no clock" }
    foreach {port direction} [bits] {
        if {$port in $::stub::clocks || $port in $::stub::cut} continue
        foreach bound {-max -min} {
            if {"$direction $bound $port" ni $::stub::delays} {
                fail "[file tail $file]: $direction '$port' has no delay $bound"
            }
        }
    }
}
