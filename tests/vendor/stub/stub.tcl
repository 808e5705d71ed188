# Runs a script of a vendor's tool under stand-ins of the tool's commands:
#
#   tclsh stub.tcl VENDOR SCRIPT [ARGUMENTS…]
#
# VENDOR.tcl, beside this file, defines the commands (stub::command). Each checks the names of its
# options, the values they take, the number of its arguments, and that files exist. What is no
# command of Tcl or of the vendor is an error. Prints "script ended" when the script has run to its
# end, else the error; exit code 0 or 1.

namespace eval stub {
    variable counts {} ;# command → calls
}

proc stub::fail {text} {
    return -code error -errorcode STUB $text
}

# One value of KIND: value, int, bool, file, folder, files (a list), output (its folder exists), name, or
# {enum A B …}.
proc stub::check {command what kind value} {
    switch -- [lindex $kind 0] {
        value {}
        int {
            if {![string is integer -strict $value]} {
                fail "$command: $what '$value' is no integer"
            }
        }
        number {
            if {![string is double -strict $value]} {
                fail "$command: $what '$value' is no number"
            }
        }
        bool {
            if {![string is boolean -strict $value]} {
                fail "$command: $what '$value' is no boolean"
            }
        }
        name {
            if {![regexp {^[A-Za-z][A-Za-z0-9_]*$} $value]} {
                fail "$command: $what '$value' is no name"
            }
        }
        file {
            if {![file isfile $value]} {
                fail "$command: $what: no file '$value'"
            }
        }
        folder {
            if {![file isdirectory $value]} {
                fail "$command: $what: no folder '$value'"
            }
        }
        files {
            if {[llength $value] == 0} {
                fail "$command: $what: no files are named"
            }
            foreach file $value {
                check $command $what file $file
            }
        }
        output {
            if {![file isdirectory [file dirname $value]]} {
                fail "$command: $what: no folder for '$value'"
            }
        }
        enum {
            if {$value ni [lrange $kind 1 end]} {
                fail "$command: $what '$value' is none of [lrange $kind 1 end]"
            }
        }
        default {
            fail "stub: no kind '$kind'"
        }
    }
}

# Splits ARGUMENTS into options and the rest, checked. An option of kind "flag" takes no value.
proc stub::parse {command options positional least arguments} {
    set given {}
    set rest {}
    for {set k 0} {$k < [llength $arguments]} {incr k} {
        set word [lindex $arguments $k]
        if {![regexp {^-[A-Za-z_]} $word]} {
            lappend rest $word
            continue
        }
        if {![dict exists $options $word]} {
            fail "$command has no option '$word'"
        }
        set kind [dict get $options $word]
        if {$kind eq "flag"} {
            dict set given $word 1
            continue
        }
        if {[incr k] >= [llength $arguments]} {
            fail "$command: option '$word' needs a value"
        }
        check $command "option '$word'" $kind [lindex $arguments $k]
        dict set given $word [lindex $arguments $k]
    }
    if {[llength $rest] < $least || [llength $rest] > [llength $positional]} {
        fail "$command takes $least to [llength $positional] arguments, not [llength $rest]: $rest"
    }
    foreach value $rest kind [lrange $positional 0 [expr {[llength $rest] - 1}]] {
        check $command argument $kind $value
    }
    return [list $given $rest]
}

# Defines COMMAND: OPTIONS is a dictionary of option → kind, POSITIONAL the kinds of the arguments, of
# which the first LEAST are needed. BODY has `opt`, a dictionary, and `arg`, a list; its result is the
# command's.
proc stub::command {command options positional least {body {}}} {
    set head {
        lassign [stub::parse COMMAND {OPTIONS} {POSITIONAL} LEAST $args] opt arg
        dict incr stub::counts COMMAND
    }
    set head [string map [list COMMAND $command OPTIONS $options POSITIONAL $positional LEAST $least] $head]
    namespace eval ::[namespace qualifiers $command] {}
    proc ::$command args "$head\n$body"
}

# Of an option, or DEFAULT.
proc stub::option {options name {default ""}} {
    if {[dict exists $options $name]} {
        return [dict get $options $name]
    }
    return $default
}

# An object that lives in the array stub::objects: "kind name" → its properties.
proc stub::object {kind name {properties {}}} {
    set ::stub::objects([list $kind $name]) $properties
    return [list $kind $name]
}

proc stub::alive {command handle} {
    if {![info exists ::stub::objects($handle)]} {
        fail "$command: no object '$handle'"
    }
}

# Only what a script may say of Tcl stays as it is; its own slips are named.
proc unknown args {
    stub::fail "there is no command '[lindex $args 0]'"
}

proc stub::main {argv} {
    if {[llength $argv] < 2} {
        puts stderr "usage: tclsh stub.tcl VENDOR SCRIPT"
        exit 2
    }
    set script [lindex $argv 1]
    set folder [file dirname [file normalize [info script]]]
    uplevel #0 [list source [file join $folder [lindex $argv 0].tcl]]
    set ::argv [lrange $argv 2 end]
    set ::argc [llength $::argv]
    rename ::exit stub::realExit
    proc ::exit {{code 0}} {
        stub::fail "exit $code: a script ends at its end"
    }
    set failed [catch {uplevel #0 [list source $script]} message details]
    if {!$failed && [llength [info commands ::stub::atEnd]]} {
        set failed [catch stub::atEnd message details]
    }
    if {$failed} {
        puts "error: $message"
        puts [dict get $details -errorinfo]
        stub::realExit 1
    }
    puts "script ended"
    foreach {command count} $stub::counts {
        puts "called $command $count"
    }
    stub::realExit 0
}

if {[info exists argv0] && [file normalize $argv0] eq [file normalize [info script]]} {
    stub::main $argv
}
