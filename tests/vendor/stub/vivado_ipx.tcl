# Stand-ins of the IP packager (UG1118): the core is kept as objects, so that what refers to what is
# checked. A block design takes the core's interfaces from here.

namespace eval stub {
    variable core "" ;# name of the core that is open
    variable coreModel {} ;# of the saved one: vlnv, folder, interfaces
}

# Signals of a bus and whether its slave drives them; of masters of aximm: reads, and with writes both.
set stub::busSignals {
    interface:axis {TDATA 0 TVALID 0 TLAST 0 TREADY 1}
    interface:aximm {
        AWADDR 0 AWPROT 0 AWVALID 0 AWREADY 1 WDATA 0 WSTRB 0 WVALID 0 WREADY 1 BRESP 1 BVALID 1 BREADY 0
        ARADDR 0 ARPROT 0 ARVALID 0 ARREADY 1 RDATA 1 RRESP 1 RVALID 1 RREADY 0
    }
    reads {
        ARADDR 0 ARLEN 0 ARSIZE 0 ARBURST 0 ARCACHE 0 ARPROT 0 ARVALID 0 ARREADY 1
        RDATA 1 RRESP 1 RLAST 1 RVALID 1 RREADY 0
    }
    both {
        AWADDR 0 AWLEN 0 AWSIZE 0 AWBURST 0 AWCACHE 0 AWPROT 0 AWVALID 0 AWREADY 1
        WDATA 0 WSTRB 0 WLAST 0 WVALID 0 WREADY 1 BRESP 1 BVALID 1 BREADY 0
        ARADDR 0 ARLEN 0 ARSIZE 0 ARBURST 0 ARCACHE 0 ARPROT 0 ARVALID 0 ARREADY 1
        RDATA 1 RRESP 1 RLAST 1 RVALID 1 RREADY 0
    }
    signal:clock {CLK 0}
    signal:reset {RST 0}
    signal:interrupt {INTERRUPT 0}
}

stub::command ipx::package_project {
    -root_dir folder -vendor name -library name -taxonomy value -import_files flag -set_current bool -force flag
} {} 0 {
    stub::needProject ipx::package_project
    stub::readTop ipx::package_project $stub::top
    stub::checkMemories ipx::package_project
    if {$stub::constraints ne {}} { stub::fail "ipx::package_project: a core brings no constraints" }
    set stub::core [list core $stub::top]
    stub::object core $stub::top [list vendor [dict get $opt -vendor] library [dict get $opt -library] \
        name $stub::top version 1.0 folder [dict get $opt -root_dir]]
    # Vivado guesses an interface; a script that wants none of it has to say so.
    stub::object businterface guessed [list core $stub::core]
    stub::object memorymap guessed [list core $stub::core]
    return $stub::core
}
proc stub::needCore {command core} {
    if {$core ne $::stub::core || $core eq ""} { fail "$command: '$core' is no open core" }
}
stub::command ipx::current_core {} {} 0 {
    if {$stub::core eq ""} { stub::fail "ipx::current_core: there is none" }
    return $stub::core
}
stub::command ipx::remove_all_bus_interface {} {value} 1 {
    stub::needCore ipx::remove_all_bus_interface [lindex $arg 0]
    array unset stub::objects {businterface *}
}
proc stub::objectsOf {kind} {
    return [lsort [array names ::stub::objects "$kind *"]]
}
stub::command ipx::get_memory_maps {-quiet flag -of_objects value} {value} 0 {
    stub::needCore ipx::get_memory_maps [stub::option $opt -of_objects]
    return [stub::objectsOf memorymap]
}
stub::command ipx::remove_memory_map {} {value value} 2 {
    stub::needCore ipx::remove_memory_map [lindex $arg 1]
    stub::alive ipx::remove_memory_map [list memorymap [lindex $arg 0]]
    unset stub::objects([list memorymap [lindex $arg 0]])
}

# NAME of a new object below PARENT of one of KINDS; names below one parent differ.
proc stub::child {command kind name parent parents} {
    alive $command $parent
    if {[lindex $parent 0] ni $parents} { fail "$command: '$parent' is a [lindex $parent 0]" }
    set full $name
    if {[lindex $parent 0] ne "core"} { set full "[lindex $parent 1]/$name" }
    if {[info exists ::stub::objects([list $kind $full])]} { fail "$command: there is a $kind '$full'" }
    return [object $kind $full [list parent $parent]]
}
foreach {command kind parents} {
    add_bus_interface businterface core
    add_memory_map memorymap core
    add_address_space addressspace core
    add_port_map portmap businterface
    add_bus_parameter busparameter businterface
    add_address_block addressblock memorymap
    add_register register addressblock
    add_field field register
} {
    stub::command ipx::$command {-quiet flag} {name value} 2 [string map [list COMMAND $command KIND $kind PARENTS $parents] {
        return [stub::child ipx::COMMAND KIND [lindex $arg 0] [lindex $arg 1] {PARENTS}]
    }]
}

# Properties of each kind, and what values they take.
foreach {kind properties} {
    core {name [A-Za-z][A-Za-z0-9_]* version [0-9]+\.[0-9]+ display_name .+ description .+ core_revision [0-9]+}
    businterface {
        bus_type_vlnv xilinx\.com:(interface:(axis|aximm)|signal:(clock|reset|interrupt)):1\.0
        abstraction_type_vlnv xilinx\.com:(interface:(axis|aximm)_rtl|signal:(clock|reset|interrupt)_rtl):1\.0
        interface_mode (master|slave) slave_memory_map_ref .+ master_address_space_ref .+
    }
    portmap {physical_name .+}
    busparameter {value .+}
    memorymap {}
    addressspace {range [0-9]+ width (32|64|128|256|512|1024)}
    addressblock {usage register width 32 range [0-9]+ base_address [0-9]+}
    register {address_offset [0-9]+ size 32 access read-(only|write) description .+}
    field {bit_offset [0-9]+ bit_width [0-9]+ access read-(only|write) description .+}
} {
    dict set stub::propertiesOf $kind $properties
}

stub::command ipx::create_xgui_files {} {value} 1 { stub::needCore ipx::create_xgui_files [lindex $arg 0] }
stub::command ipx::update_checksums {} {value} 1 { stub::needCore ipx::update_checksums [lindex $arg 0] }

proc stub::property {object name} {
    if {![dict exists $::stub::objects($object) $name]} { fail "the [lindex $object 0] '[lindex $object 1]' has no $name" }
    return [dict get $::stub::objects($object) $name]
}

# "interface:axis" of a businterface, whose two definitions agree.
proc stub::busOf {interface} {
    set bus [join [lrange [split [property $interface bus_type_vlnv] :] 1 2] :]
    if {[property $interface abstraction_type_vlnv] ne "xilinx.com:${bus}_rtl:1.0"} {
        fail "the definitions of '[lindex $interface 1]' disagree"
    }
    return $bus
}

# All signals of the bus, each at a port of the right direction; no port twice.
proc stub::writes {name} {
    return [info exists ::stub::objects([list portmap $name/AWADDR])]
}

proc stub::checkInterface {interface usedName} {
    upvar 1 $usedName used
    set bus [busOf $interface]
    set slave [expr {[property $interface interface_mode] eq "slave"}]
    if {$bus eq "interface:aximm" && !$slave} { set bus [expr {[writes [lindex $interface 1]] ? "both" : "reads"}] }
    foreach {signal slaveDrives} [dict get $::stub::busSignals $bus] {
        set map [list portmap "[lindex $interface 1]/$signal"]
        if {![info exists ::stub::objects($map)]} { fail "'[lindex $interface 1]' has no $signal" }
        set port [property $map physical_name]
        if {![dict exists $::stub::ports $port]} { fail "'[lindex $interface 1]': no port '$port'" }
        set expected [expr {$slave == $slaveDrives ? "output" : "input"}]
        if {[lindex [dict get $::stub::ports $port] 0] ne $expected} { fail "'$port' is no $expected" }
        if {[dict exists $used $port]} { fail "'$port' is of two interfaces" }
        dict set used $port 1
    }
    set signals [dict get $::stub::busSignals $bus]
    foreach map [array names ::stub::objects "portmap *"] {
        lassign [split [lindex $map 1] /] name signal
        if {$name eq [lindex $interface 1] && ![dict exists $signals $signal]} { fail "'$name': $bus has no $signal" }
    }
}

stub::command ipx::check_integrity {-quiet flag} {value} 1 {
    stub::needCore ipx::check_integrity [lindex $arg 0]
    set used {}
    set busInterfaces {}
    foreach interface [stub::objectsOf businterface] {
        stub::checkInterface $interface used
        set bus [stub::busOf $interface]
        if {[string match interface:* $bus]} { lappend busInterfaces [lindex $interface 1] }
        if {$bus eq "interface:aximm" && [stub::property $interface interface_mode] eq "slave"} { stub::checkMap $interface }
        if {$bus eq "interface:aximm" && [stub::property $interface interface_mode] eq "master"} { stub::checkSpace $interface }
    }
    stub::checkClock $busInterfaces
}

# The master's addresses have a space of the width of its data, and it says whether it only reads.
proc stub::checkSpace {interface} {
    set space [list addressspace [property $interface master_address_space_ref]]
    alive ipx::check_integrity $space
    set name [lindex $interface 1]
    set mode [expr {[writes $name] ? "READ_WRITE" : "READ_ONLY"}]
    foreach {parameter value} [list PROTOCOL AXI4 READ_WRITE_MODE $mode DATA_WIDTH [property $space width]] {
        if {[property [list busparameter $name/$parameter] value] ne $value} { fail "$parameter of '$name' is not $value" }
    }
    set data [dict get $::stub::ports [property [list portmap $name/RDATA] physical_name]]
    if {[lindex $data 1] != [property $space width] - 1} { fail "RDATA of '$name' is not as wide as its space" }
    if {$mode eq "READ_WRITE" && [property [list busparameter $name/NUM_WRITE_OUTSTANDING] value] < 1} { fail "'$name' writes nothing" }
    if {[property $space range] != 1 << [property [list busparameter $name/ADDR_WIDTH] value]} { fail "the space of '$name' has [property $space range] bytes" }
}

# The slave's map exists, its registers lie in its block and apart.
proc stub::checkMap {interface} {
    set map [list memorymap [property $interface slave_memory_map_ref]]
    alive ipx::check_integrity $map
    set blocks [array names ::stub::objects "addressblock [lindex $map 1]/*"]
    if {[llength $blocks] != 1} { fail "the map has [llength $blocks] blocks" }
    set range [property [lindex $blocks 0] range]
    if {$range < 4096 || $range & ($range - 1)} { fail "the block has $range bytes" }
    set offsets {}
    foreach register [array names ::stub::objects "register *"] {
        set offset [property $register address_offset]
        if {$offset % 4 || $offset >= $range || $offset in $offsets} { fail "'[lindex $register 1]' is at $offset" }
        lappend offsets $offset
    }
    foreach field [array names ::stub::objects "field *"] {
        if {[property $field bit_offset] + [property $field bit_width] > 32} { fail "'[lindex $field 1]' has too many bits" }
    }
}

# The one clock times all buses, and its reset exists.
proc stub::checkClock {busInterfaces} {
    foreach interface [stub::objectsOf businterface] {
        if {[busOf $interface] ne "signal:clock"} continue
        set name [lindex $interface 1]
        set timed ""
        if {$busInterfaces ne {}} { set timed [property [list busparameter $name/ASSOCIATED_BUSIF] value] }
        if {[lsort [split $timed :]] ne [lsort $busInterfaces]} {
            fail "the clock does not time $busInterfaces"
        }
        set reset [property [list busparameter $name/ASSOCIATED_RESET] value]
        if {[busOf [list businterface $reset]] ne "signal:reset"} { fail "'$reset' is no reset" }
        property [list busparameter $reset/POLARITY] value
        return
    }
    fail "no interface is a clock"
}

stub::command ipx::save_core {} {value} 1 {
    stub::needCore ipx::save_core [lindex $arg 0]
    if {![dict exists $stub::counts ipx::check_integrity]} { stub::fail "ipx::save_core: not checked" }
    set core [lindex $arg 0]
    set interfaces {}
    foreach interface [stub::objectsOf businterface] {
        lappend interfaces [lindex $interface 1] [list [stub::busOf $interface] [stub::property $interface interface_mode]]
    }
    set segments {}
    foreach block [stub::objectsOf addressblock] { lappend segments [lindex $block 1] }
    set vlnv "[stub::property $core vendor]:[stub::property $core library]:[stub::property $core name]:[stub::property $core version]"
    set stub::coreModel [list vlnv $vlnv folder [stub::property $core folder] interfaces $interfaces segments $segments]
    stub::touch [file join [stub::property $core folder] component.xml]
    set stub::core ""
}
