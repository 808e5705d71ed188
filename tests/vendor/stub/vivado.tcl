# Stand-ins of the commands of Vivado that exports use: projects, synthesis, implementation. Names,
# options and counts of arguments: UG835. Cores and block designs are in files of their own.

namespace eval stub {
    variable project {} ;# name, folder, part
    variable sources {} ;# files of the fileset or read, by kind
    variable constraints {}
    variable memories {}
    variable repositories {}
    variable top ""
    variable step none  ;# of the design in memory
    variable ports {}   ;# of the top: name → {direction bits}
    variable outOfContext 0
    variable objects
    array set objects {}
}

set stub::folder [file dirname [file normalize [info script]]]

proc stub::needProject {command} {
    if {$::stub::project eq {}} {
        fail "$command: no project is open"
    }
}

proc stub::checkPart {command part} {
    if {![regexp {^xc(7[akvz]|zu|ku|vu|u)[a-z0-9]+-[A-Za-z0-9-]+$} $part]} {
        fail "$command: no part '$part'"
    }
}

proc stub::touch {path} {
    file mkdir [file dirname $path]
    close [open $path w]
}

stub::command version {-short flag} {} 0 { return 2023.2 }

stub::command create_project {-part value -force flag -in_memory flag} {name output} 1 {
    if {$stub::project ne {}} {
        stub::fail "create_project: a project is open"
    }
    stub::checkPart create_project [stub::option $opt -part]
    set name [lindex $arg 0]
    set folder [lindex $arg 1]
    if {$folder eq "" && ![dict exists $opt -in_memory]} {
        stub::fail "create_project: no folder"
    }
    if {[file exists [file join $folder $name.xpr]] && ![dict exists $opt -force]} {
        stub::fail "create_project: there is one, and no -force"
    }
    if {$folder ne ""} {
        stub::touch [file join $folder $name.xpr]
    }
    set stub::project [list $name $folder [stub::option $opt -part]]
    foreach fileset {sources_1 constrs_1 sim_1} { stub::object fileset $fileset {} }
    foreach run {synth_1 impl_1} { stub::object run $run {} }
    stub::object project $name {}
}
stub::command close_project {-delete flag -quiet flag} {} 0 {
    stub::needProject close_project
    foreach name {project sources constraints memories top ports} { set stub::$name {} }
    set stub::step none
    array unset stub::objects
}
stub::command current_project {-quiet flag} {value} 0 {
    stub::needProject current_project
    return [list project [lindex $stub::project 0]]
}
stub::command get_projects {-quiet flag} {value} 0 { return [lindex $stub::project 0] }
stub::command current_fileset {-constrset flag -quiet flag} {} 0 {
    stub::needProject current_fileset
    return {fileset sources_1}
}
stub::command get_filesets {-quiet flag} {value} 1 {
    stub::alive get_filesets [list fileset [lindex $arg 0]]
    return [list fileset [lindex $arg 0]]
}
stub::command get_runs {-quiet flag} {value} 1 {
    stub::alive get_runs [list run [lindex $arg 0]]
    return [list run [lindex $arg 0]]
}
stub::command get_board_parts {-quiet flag -latest_file_version flag -filter value} {value} 0 {
    if {![info exists ::env(STUB_BOARDS)]} { return {} }
    set found {}
    foreach part $::env(STUB_BOARDS) {
        if {[string match [lindex $arg 0] $part]} { lappend found $part }
    }
    return $found
}

# --- files ---

proc stub::take {command files} {
    foreach file $files {
        set full [file normalize $file]
        switch -- [file extension $file] {
            .v { lappend ::stub::sources $full }
            .xdc { lappend ::stub::constraints $full }
            .mem { lappend ::stub::memories $full }
            .bd { lappend ::stub::sources $full }
            default { fail "$command: what is '$file'?" }
        }
    }
}
stub::command add_files {-fileset value -norecurse flag -scan_for_includes flag -quiet flag} {files} 1 {
    stub::needProject add_files
    set fileset [lindex [stub::option $opt -fileset sources_1] end]
    stub::alive add_files [list fileset $fileset]
    foreach file [lindex $arg 0] {
        if {([file extension $file] eq ".xdc") != ($fileset eq "constrs_1")} {
            stub::fail "add_files: '$file' is not of $fileset"
        }
    }
    stub::take add_files [lindex $arg 0]
    return [lindex $arg 0]
}
stub::command get_files {-quiet flag -of_objects value -filter value} {value} 0 {
    set found {}
    foreach file [concat $stub::sources $stub::constraints $stub::memories] {
        if {[string match [lindex $arg 0] $file] || [file tail $file] eq [lindex $arg 0]} {
            lappend found $file
        }
    }
    if {$found eq {} && ![dict exists $opt -quiet]} {
        stub::fail "get_files: no file '[lindex $arg 0]'"
    }
    return $found
}
stub::command read_verilog {-sv flag -library value} {files} 1 { stub::take read_verilog [lindex $arg 0] }
stub::command read_mem {} {files} 1 { stub::take read_mem [lindex $arg 0] }
stub::command read_xdc {-mode {enum default out_of_context} -unmanaged flag -ref value} {files} 1 {
    stub::take read_xdc [lindex $arg 0]
}
stub::command update_compile_order {-fileset value} {} 0 { stub::needProject update_compile_order }

# --- properties ---

# name → what values are taken: a pattern of a regular expression. Of objects with properties of their
# own kind (cores, blocks) the other files say.
set stub::propertiesOf {
    project {board_part .+ ip_repo_paths .* target_language Verilog default_lib .+ simulator_language .+}
    fileset {top [A-Za-z_][A-Za-z0-9_]* ip_repo_paths .* source_mgmt_mode .+}
    run {{STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} {-mode out_of_context} STEPS.PHYS_OPT_DESIGN.IS_ENABLED (true|false|1|0)}
}

proc stub::setOne {name value object} {
    alive set_property $object
    set kind [lindex $object 0]
    if {![dict exists $::stub::propertiesOf $kind]} {
        fail "set_property: of a $kind"
    }
    if {[info commands ::stub::set_$kind] ne ""} {
        return [stub::set_$kind $name $value $object]
    }
    set known [dict get $::stub::propertiesOf $kind]
    if {![dict exists $known $name]} {
        fail "set_property: a $kind has no property '$name'"
    }
    if {![regexp "^(?:[dict get $known $name])\$" $value]} {
        fail "set_property: $name of a $kind is not '$value'"
    }
    dict set ::stub::objects($object) $name $value
    if {$name eq "top"} { set ::stub::top $value }
    if {$name eq "ip_repo_paths"} {
        foreach folder $value { check set_property ip_repo_paths folder $folder }
        set ::stub::repositories $value
    }
    if {$name eq "STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS"} { set ::stub::outOfContext 1 }
}
# A handle is a list of two words, so that one object is told from a list of them.
proc stub::handles {objects} {
    if {[info exists ::stub::objects($objects)]} { return [list $objects] }
    if {[llength $objects] == 0} { fail "set_property: no objects" }
    return $objects
}
stub::command set_property {-dict value -name value -value value -objects value -quiet flag} {value value value} 0 {
    if {[dict exists $opt -dict]} {
        set pairs [dict get $opt -dict]
        set objects [lindex $arg 0]
    } elseif {[dict exists $opt -name]} {
        set pairs [list [dict get $opt -name] [dict get $opt -value]]
        set objects [dict get $opt -objects]
    } elseif {[llength $arg] == 3} {
        set pairs [lrange $arg 0 1]
        set objects [lindex $arg 2]
    } else {
        stub::fail "set_property takes a name, a value and objects"
    }
    if {[llength $pairs] % 2} { stub::fail "set_property -dict: no pairs: $pairs" }
    foreach object [stub::handles $objects] {
        foreach {name value} $pairs { stub::setOne $name $value $object }
    }
}
stub::command get_property {-quiet flag} {value value} 2 {
    lassign $arg name object
    stub::alive get_property $object
    set properties $stub::objects($object)
    switch -- $name {
        DIRECTORY { if {[lindex $object 0] eq "project"} { return [lindex $stub::project 1] } }
        NAME { return [lindex $object 1] }
    }
    if {![dict exists $properties $name]} {
        stub::fail "get_property: [lindex $object 0] has no '$name'"
    }
    return [dict get $properties $name]
}

# --- synthesis and implementation ---

# The ports of the top module, as its text declares them.
proc stub::readTop {command top} {
    foreach file $::stub::sources {
        if {[file extension $file] ne ".v"} continue
        set stream [open $file]
        fconfigure $stream -encoding utf-8
        set text [read $stream]
        close $stream
        if {![regexp "(?:^|\n)module ${top}\\M(\[^;\]*);" $text all list]} continue
        set ::stub::ports {}
        foreach {all direction left name} [regexp -all -inline \
                {(input|output) +(?:wire|reg)? *(?:signed +)?(?:\[([0-9]+):0\] *)?([A-Za-z_][A-Za-z0-9_]*)} $list] {
            dict set ::stub::ports $name [list $direction $left]
        }
        return
    }
    fail "$command: no source has module '$top'"
}

# Every memory file that a source reads is among the files of the project.
proc stub::checkMemories {command} {
    foreach file $::stub::sources {
        if {[file extension $file] ne ".v"} continue
        set stream [open $file]
        foreach {all name} [regexp -all -inline {\$readmem[hb]\("([^"]*)"} [read $stream]] {
            if {$name ni [lmap path $::stub::memories {file tail $path}]} {
                fail "$command: '$name' is read and no file of the project"
            }
        }
        close $stream
    }
}

proc stub::readConstraints {command} {
    if {$::stub::constraints eq {}} { fail "$command: no constraints" }
    foreach file $::stub::constraints { xdc $file }
}

proc stub::advance {command from to} {
    if {$::stub::step ni $from} { fail "$command: the design is at '$::stub::step'" }
    set ::stub::step $to
}

stub::command synth_design {-top name -part value -mode {enum default out_of_context} -flatten_hierarchy value} {} 0 {
    stub::checkPart synth_design [stub::option $opt -part]
    stub::readTop synth_design [stub::option $opt -top]
    stub::checkMemories synth_design
    set stub::outOfContext [expr {[stub::option $opt -mode] eq "out_of_context"}]
    set stub::step synthesised
    stub::readConstraints synth_design
}
foreach {command from to} {
    opt_design synthesised optimised
    place_design {synthesised optimised} placed
    route_design placed routed
} {
    stub::command $command {-directive value -quiet flag} {} 0 [list stub::advance $command $from $to]
}
stub::command phys_opt_design {-directive value} {} 0 { stub::advance phys_opt_design {placed routed} $stub::step }

proc stub::needDesign {command} {
    if {$::stub::step eq "none"} { fail "$command: no design is open" }
}
proc stub::report {command options} {
    needDesign $command
    if {[dict exists $options -file]} { touch [dict get $options -file] }
}
stub::command report_utilization {-file output -hierarchical flag -quiet flag} {} 0 { stub::report report_utilization $opt }
stub::command report_timing_summary {-file output -delay_type {enum max min min_max} -max_paths int -report_unconstrained flag} {} 0 {
    stub::report report_timing_summary $opt
}
stub::command report_route_status {-file output} {} 0 { stub::report report_route_status $opt }
stub::command report_drc {-file output} {} 0 { stub::report report_drc $opt }
stub::command report_power {-file output} {} 0 { stub::report report_power $opt }
stub::command write_checkpoint {-force flag} {output} 1 {
    stub::needDesign write_checkpoint
    if {[file exists [lindex $arg 0]] && ![dict exists $opt -force]} { stub::fail "write_checkpoint: it exists" }
    stub::touch [lindex $arg 0]
}
stub::command write_bitstream {-force flag} {output} 1 {
    if {$stub::step ne "routed"} { stub::fail "write_bitstream: the design is at '$stub::step'" }
    if {$stub::outOfContext} { stub::fail "write_bitstream: the design is out of context" }
    stub::touch [lindex $arg 0]
}
stub::command get_timing_paths {-quiet flag -delay_type {enum max min} -max_paths int -nworst int} {} 0 {
    stub::needDesign get_timing_paths
    set slack 0.125
    if {[info exists ::env(STUB_SLACK)]} { set slack $::env(STUB_SLACK) }
    return [stub::object path worst [list SLACK $slack]]
}

# --- runs ---

stub::command reset_run {-quiet flag} {value} 1 {}
stub::command launch_runs {-to_step {enum synth_design route_design write_bitstream} -jobs int -force flag} {value} 1 {
    stub::needProject launch_runs
    set run [list run [lindex [lindex $arg 0] end]]
    stub::alive launch_runs $run
    if {$stub::top eq ""} { stub::fail "launch_runs: no top" }
    set folder [file join [lindex $stub::project 1] [lindex $stub::project 0].runs [lindex $run 1]]
    file mkdir $folder
    dict set stub::objects($run) DIRECTORY $folder
    set failing [expr {[info exists ::env(STUB_FAILS)] && $::env(STUB_FAILS) eq [lindex $run 1]}]
    dict set stub::objects($run) PROGRESS [expr {$failing ? "40%" : "100%"}]
    dict set stub::objects($run) STATUS [expr {$failing ? "ERROR" : "Complete!"}]
    dict set stub::objects($run) LAUNCHED 1
    if {[lindex $run 1] eq "synth_1"} return
    if {[stub::option $opt -to_step] eq "write_bitstream"} {
        if {$stub::outOfContext} { stub::fail "launch_runs: no bitstream out of context" }
        if {[info commands stub::bdPins] eq "" || ![stub::bdPins $stub::top]} {
            stub::fail "launch_runs: the ports of '$stub::top' have no pins"
        }
        stub::touch [file join $folder $stub::top.bit]
    }
}
foreach command {wait_on_run wait_on_runs} {
    stub::command $command {-timeout int -quiet flag} {value} 1 {
        stub::alive wait_on_run [list run [lindex [lindex $arg 0] end]]
        if {![dict exists $stub::objects([list run [lindex [lindex $arg 0] end]]) LAUNCHED]} {
            stub::fail "wait_on_run: it was not launched"
        }
    }
}
stub::command open_run {-name value} {value} 1 {
    set run [list run [lindex [lindex $arg 0] end]]
    stub::alive open_run $run
    if {![dict exists $stub::objects($run) LAUNCHED]} { stub::fail "open_run: it was not launched" }
    if {[info commands stub::bdPins] eq "" || ![stub::bdPins $stub::top]} {
        stub::readTop open_run $stub::top
        stub::checkMemories open_run
        stub::readConstraints open_run
    }
    set stub::step routed
}
stub::command write_hw_platform {-fixed flag -include_bit flag -force flag -file output} {output} 0 {
    stub::needProject write_hw_platform
    set file [stub::option $opt -file [lindex $arg 0]]
    if {[dict exists $opt -include_bit] && ![dict exists $stub::objects([list run impl_1]) LAUNCHED]} {
        stub::fail "write_hw_platform: there is no bitstream"
    }
    stub::touch $file
}

foreach file {vivado_xdc vivado_ipx vivado_bd} {
    source [file join $stub::folder $file.tcl]
}
