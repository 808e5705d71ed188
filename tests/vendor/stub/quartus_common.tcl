# What the stand-ins of Quartus share: the ports of a module, as its text declares them.

# name → {Input|Output bits}; fails where no file of FILES has the module TOP.
proc stub::modulePorts {command files top} {
    foreach file $files {
        set stream [open $file]
        fconfigure $stream -encoding utf-8
        set text [read $stream]
        close $stream
        if {![regexp "(?:^|\n)module ${top}\\M(\[^;\]*);" $text all list]} continue
        set ports {}
        foreach {all direction left name} [regexp -all -inline \
                {(input|output) +(?:wire|reg)? *(?:signed +)?(?:\[([0-9]+):0\] *)?([A-Za-z_][A-Za-z0-9_]*)} $list] {
            dict set ports $name [list [string totitle $direction] [expr {$left eq "" ? 1 : $left + 1}]]
        }
        return $ports
    }
    fail "$command: no file has the module '$top'"
}

# Every memory file that a source reads is one of those that are named.
proc stub::checkMemoriesOf {command sources memories} {
    foreach file $sources {
        set stream [open $file]
        foreach {all name} [regexp -all -inline {\$readmem[hb]\("([^"]*)"} [read $stream]] {
            if {$name ni [lmap path $memories {file tail $path}]} {
                fail "$command: '$name' is read and not named"
            }
        }
        close $stream
    }
}
