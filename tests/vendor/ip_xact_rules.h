// What a component of IP-XACT has to be (IEEE 1685-2009: component.xsd, busInterface.xsd,
// memoryMap.xsd, port.xsd, file.xsd): which children an element has, in which order and how many,
// which values it takes, and that everything that is referred to exists. Extensions of vendors
// stand in vendorExtensions alone.
#pragma once

#include "tests/vendor/strict_xml.h"

#include <algorithm>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

namespace marquetry::test {

using Faults = std::vector<std::string>;

/// Children in order: "name", "name?", "name*", "name+"; "a|b" is one of both. Elements that are
/// not listed hold a text alone; "=" lists the values it may be, "#" is a number, "~" a pattern.
inline const std::map<std::string, std::string> kIpXactModel = {
    {"component",
     "vendor library name version busInterfaces? channels? remapStates? addressSpaces? "
     "memoryMaps? model? componentGenerators? choices? fileSets? whiteboxElements? cpus? "
     "otherClockDrivers? description? parameters? vendorExtensions?"},
    {"busInterfaces", "busInterface+"},
    {"busInterface",
     "name displayName? description? busType abstractionType slave|master|system "
     "connectionRequired? portMaps? bitsInLau? bitSteering? endianness? parameters? "
     "vendorExtensions?"},
    {"busType", ""},
    {"abstractionType", ""},
    {"slave", "memoryMapRef? bridge* fileSetRefGroup*"},
    {"master", "addressSpaceRef?"},
    {"memoryMapRef", ""},
    {"addressSpaceRef", ""},
    {"addressSpaces", "addressSpace+"},
    {"addressSpace", "name displayName? description? range width segments? addressUnitBits? "
                     "executableImage* localMemoryMap? parameters? vendorExtensions?"},
    {"portMaps", "portMap+"},
    {"portMap", "logicalPort physicalPort"},
    {"logicalPort", "name vector?"},
    {"physicalPort", "name vector?"},
    {"parameters", "parameter+"},
    {"parameter", "name displayName? description? value vendorExtensions?"},
    {"memoryMaps", "memoryMap+"},
    {"memoryMap", "name displayName? description? addressBlock* addressUnitBits? "
                  "vendorExtensions?"},
    {"addressBlock", "name displayName? description? baseAddress typeIdentifier? range width "
                     "usage? volatile? access? parameters? register* vendorExtensions?"},
    {"register", "name displayName? description? dim* addressOffset typeIdentifier? size "
                 "volatile? access? reset? field* alternateRegisters? parameters? "
                 "vendorExtensions?"},
    {"reset", "value mask?"},
    {"field", "name displayName? description? bitOffset typeIdentifier? bitWidth volatile? "
              "access? enumeratedValues? modifiedWriteValue? writeValueConstraint? "
              "readAction? testable? parameters? vendorExtensions?"},
    {"model", "views? ports? modelParameters?"},
    {"views", "view+"},
    {"view", "name displayName? description? envIdentifier+ language? modelName? "
             "defaultFileBuilder* fileSetRef* constraintSetRef* whiteboxElementRefs? "
             "parameters? vendorExtensions?"},
    {"fileSetRef", "localName"},
    {"ports", "port+"},
    {"port", "name displayName? description? wire|transactional access? vendorExtensions?"},
    {"wire", "direction vector? wireTypeDefs? driver? constraintSets?"},
    {"vector", "left right"},
    {"wireTypeDefs", "wireTypeDef+"},
    {"wireTypeDef", "typeName typeDefinition* viewNameRef+"},
    {"fileSets", "fileSet+"},
    {"fileSet", "name displayName? description? group* file* defaultFileBuilder* "
                "dependency* function* vendorExtensions?"},
    {"file", "name fileType* userFileType* isIncludeFile? logicalName? exportedName* "
             "buildCommand? dependency* define* imageType* description? vendorExtensions?"},
    {"direction", "=in|out|inout|phantom"},
    {"access", "=read-only|write-only|read-write|writeOnce|read-writeOnce"},
    {"modifiedWriteValue", "=oneToClear|oneToSet|oneToToggle|zeroToClear|zeroToSet|"
                           "zeroToToggle|clear|set|modify"},
    {"usage", "=memory|register|reserved"},
    {"volatile", "=true|false"},
    {"fileType", "=verilogSource|tclSource|vhdlSource|systemVerilogSource|cSource|unknown"},
    {"left", "#"},
    {"right", "#"},
    {"range", "#"},
    {"width", "#"},
    {"size", "#"},
    {"bitWidth", "#"},
    {"bitOffset", "#"},
    {"addressOffset", "#"},
    {"baseAddress", "#"},
    {"vendor", "~[A-Za-z_][A-Za-z0-9_.-]*"},
    {"library", "~[A-Za-z_][A-Za-z0-9_.-]*"},
    {"version", "~[A-Za-z0-9_.:-]+"},
    {"envIdentifier", "~[a-zA-Z0-9.+_-]*:[a-zA-Z0-9.+_-]*:[a-zA-Z0-9.+_-]*"},
};

class IpXactRules {
public:
    explicit IpXactRules(std::function<bool(const std::string&)> fileExists)
        : fileExists_(std::move(fileExists)) {}

    Faults check(const XmlElement& root) {
        faults_.clear();
        if (root.name != "spirit:component")
            fault("the root is " + root.name);
        shape(root);
        if (faults_.empty()) {
            references(strip(root));
        }
        return faults_;
    }

private:
    void fault(const std::string& text) { faults_.push_back(text); }

    static std::string local(const XmlElement& element) {
        const std::string prefix = "spirit:";
        return element.name.starts_with(prefix) ? element.name.substr(prefix.size())
                                                : "{" + element.name + "}";
    }
    /// The same with names without prefix.
    static XmlElement strip(const XmlElement& element) {
        XmlElement plain = element;
        plain.name = local(element);
        plain.children.clear();
        plain.attributes.clear();
        for (const XmlElement& child : element.children)
            plain.children.push_back(strip(child));
        for (const auto& [key, value] : element.attributes)
            plain.attributes[key.starts_with("spirit:") ? key.substr(7) : key] = value;
        return plain;
    }

    void shape(const XmlElement& element) {
        const std::string name = local(element);
        if (name == "vendorExtensions")
            return;
        const auto found = kIpXactModel.find(name);
        const std::string model = found == kIpXactModel.end() ? "=" : found->second;
        if (!model.empty() && std::string("=#~").find(model[0]) != std::string::npos)
            return value(element, name, model);
        if (!element.text.empty())
            fault(name + " holds a text");
        order(element, name, model);
        for (const XmlElement& child : element.children)
            shape(child);
    }

    void value(const XmlElement& element, const std::string& name, const std::string& model) {
        if (!element.children.empty())
            return fault(name + " has children");
        if (element.text.empty() && name != "displayName")
            return fault(name + " is empty");
        if (name == "name" || name == "localName" || name == "viewNameRef") {
            // Names of files are paths.
            static const std::regex kName("[A-Za-z_][A-Za-z0-9_.:/-]*");
            if (!std::regex_match(element.text, kName))
                fault("'" + element.text + "' is no name");
        }
        static const std::regex kNumber("[0-9]+");
        if (model == "#" && !std::regex_match(element.text, kNumber))
            fault(name + " '" + element.text + "' is no number");
        if (model[0] == '~' && !std::regex_match(element.text, std::regex(model.substr(1))))
            fault(name + " '" + element.text + "' is not as it should be");
        if (model.size() > 1 && model[0] == '=' &&
            ("|" + model.substr(1) + "|").find("|" + element.text + "|") == std::string::npos)
            fault(name + " '" + element.text + "' is none of " + model.substr(1));
    }

    void order(const XmlElement& element, const std::string& name, const std::string& model) {
        std::size_t at = 0;
        std::istringstream words(model);
        for (std::string word; words >> word;) {
            const char end = word.back();
            const bool counted = end == '?' || end == '*' || end == '+';
            const std::string names =
                "|" + (counted ? word.substr(0, word.size() - 1) : word) + "|";
            std::size_t count = 0;
            while (at < element.children.size() &&
                   names.find("|" + local(element.children[at]) + "|") != std::string::npos) {
                ++at;
                ++count;
            }
            if (count == 0 && end != '?' && end != '*')
                fault(name + " has no " + word);
            if (count > 1 && end != '*' && end != '+')
                fault(name + " has " + std::to_string(count) + " " + word);
        }
        if (at < element.children.size())
            fault(name + ": " + local(element.children[at]) + " is out of order or unknown");
    }

    /// The names of these elements, each once.
    std::set<std::string> names(const std::vector<const XmlElement*>& elements,
                                const std::string& what) {
        std::set<std::string> found;
        for (const XmlElement* element : elements)
            if (!found.insert(element->of("name")).second)
                fault("two " + what + " '" + element->of("name") + "'");
        return found;
    }
    static std::vector<const XmlElement*> list(const XmlElement& root, const std::string& group,
                                               const std::string& name) {
        const XmlElement* parent = root.first(group);
        return parent == nullptr ? std::vector<const XmlElement*>{} : parent->all(name);
    }
    void exists(const std::set<std::string>& names, const std::string& name,
                const std::string& what) {
        if (!names.contains(name))
            fault("no " + what + " '" + name + "'");
    }

    /// Parameters have names of their own, wherever they are; ports have a type per view.
    void everywhere(const XmlElement& element) {
        names(element.all("parameter"), "parameters");
        std::set<std::string> views;
        for (const XmlElement* type : element.all("wireTypeDef"))
            for (const XmlElement* view : type->all("viewNameRef"))
                if (!views.insert(view->text).second)
                    fault("two types for '" + view->text + "'");
        for (const XmlElement& child : element.children)
            everywhere(child);
    }

    void references(const XmlElement& root) {
        everywhere(root);
        const XmlElement* model = root.first("model");
        if (model == nullptr)
            return fault("no model");
        const auto fileSets = list(root, "fileSets", "fileSet");
        const std::set<std::string> sets = names(fileSets, "file sets");
        const auto views = list(*model, "views", "view");
        const std::set<std::string> viewNames = names(views, "views");
        for (const XmlElement* view : views)
            for (const XmlElement* set : view->all("fileSetRef"))
                exists(sets, set->of("localName"), "file set");
        files(fileSets);
        const auto ports = list(*model, "ports", "port");
        names(ports, "ports");
        for (const XmlElement* port : ports) {
            direction_[port->of("name")] = port->first("wire")->of("direction");
            for (const XmlElement* types : port->first("wire")->all("wireTypeDefs"))
                for (const XmlElement* type : types->all("wireTypeDef"))
                    for (const XmlElement* view : type->all("viewNameRef"))
                        exists(viewNames, view->text, "view");
        }
        interfaces(root);
        memory(root);
    }

    void files(const std::vector<const XmlElement*>& fileSets) {
        for (const XmlElement* set : fileSets) {
            names(set->all("file"), "files");
            for (const XmlElement* file : set->all("file")) {
                if (!fileExists_(file->of("name")))
                    fault("no file '" + file->of("name") + "'");
                if (file->first("fileType") == nullptr && file->first("userFileType") == nullptr)
                    fault("'" + file->of("name") + "' has no type");
            }
        }
    }

    void interfaces(const XmlElement& root) {
        const auto all = list(root, "busInterfaces", "busInterface");
        const std::set<std::string> known = names(all, "interfaces");
        const std::set<std::string> maps = names(list(root, "memoryMaps", "memoryMap"), "maps");
        const std::set<std::string> spaces =
            names(list(root, "addressSpaces", "addressSpace"), "address spaces");
        for (const XmlElement* interface : all) {
            for (const XmlElement* map : list(*interface, "portMaps", "portMap"))
                portMap(*interface, *map);
            if (const XmlElement* slave = interface->first("slave"))
                for (const XmlElement* ref : slave->all("memoryMapRef"))
                    exists(maps, ref->attributes.at("memoryMapRef"), "memory map");
            if (const XmlElement* master = interface->first("master"))
                for (const XmlElement* ref : master->all("addressSpaceRef"))
                    exists(spaces, ref->attributes.at("addressSpaceRef"), "address space");
            definitions(*interface);
            for (const XmlElement* parameter : list(*interface, "parameters", "parameter"))
                association(known, parameter->of("name"), parameter->of("value"));
        }
    }

    /// Signals of streams and clocks go one way; each port is of one interface.
    void portMap(const XmlElement& interface, const XmlElement& map) {
        const std::string logical = map.first("logicalPort")->of("name");
        const std::string physical = map.first("physicalPort")->of("name");
        if (!direction_.contains(physical))
            return fault("no port '" + physical + "'");
        if (!mapped_.insert(physical).second)
            fault("'" + physical + "' is of two interfaces");
        static const std::set<std::string> kOfSlave = {"TREADY", "AWREADY", "WREADY", "BRESP",
                                                       "BVALID", "ARREADY", "RDATA",  "RRESP",
                                                       "RVALID", "RLAST"};
        const bool slave = interface.first("slave") != nullptr;
        const std::string expected = slave == kOfSlave.contains(logical) ? "out" : "in";
        if (direction_[physical] != expected)
            fault("'" + physical + "' is no " + logical + " of a " + (slave ? "slave" : "master"));
    }

    void definitions(const XmlElement& interface) {
        const auto& bus = interface.first("busType")->attributes;
        const auto& abstraction = interface.first("abstractionType")->attributes;
        for (const char* key : {"vendor", "library", "name", "version"})
            if (!bus.contains(key) || !abstraction.contains(key))
                return fault("a definition has no " + std::string(key));
        if (abstraction.at("name") != bus.at("name") + "_rtl" ||
            abstraction.at("library") != bus.at("library"))
            fault("the definitions of '" + interface.of("name") + "' disagree");
    }

    void association(const std::set<std::string>& known, const std::string& name,
                     const std::string& value) {
        if (name == "ASSOCIATED_RESET" && !direction_.contains(value))
            fault("no reset '" + value + "'");
        if (name != "ASSOCIATED_BUSIF")
            return;
        std::istringstream words(value);
        for (std::string word; std::getline(words, word, ':');)
            exists(known, word, "interface");
    }

    void memory(const XmlElement& root) {
        for (const XmlElement* map : list(root, "memoryMaps", "memoryMap")) {
            names(map->all("addressBlock"), "blocks");
            for (const XmlElement* block : map->all("addressBlock")) {
                names(block->all("register"), "registers");
                std::set<long> offsets;
                for (const XmlElement* r : block->all("register")) {
                    const long offset = std::stol(r->of("addressOffset"));
                    if (offset + std::stol(r->of("size")) / 8 > std::stol(block->of("range")))
                        fault("'" + r->of("name") + "' is behind the block");
                    if (!offsets.insert(offset).second)
                        fault("two registers at " + r->of("addressOffset"));
                    if (const XmlElement* reset = r->first("reset");
                        reset != nullptr &&
                        reset->of("value").find_first_not_of("0123456789") != std::string::npos)
                        fault("'" + r->of("name") + "' has no number for its reset");
                    fields(*r);
                }
            }
        }
    }

    void fields(const XmlElement& r) {
        names(r.all("field"), "fields");
        std::set<long> bits;
        for (const XmlElement* field : r.all("field"))
            for (long k = 0; k < std::stol(field->of("bitWidth")); ++k) {
                const long bit = std::stol(field->of("bitOffset")) + k;
                if (bit >= std::stol(r.of("size")))
                    return fault("'" + field->of("name") + "' is behind the register");
                if (!bits.insert(bit).second)
                    return fault("two fields at bit " + std::to_string(bit));
            }
    }

    std::function<bool(const std::string&)> fileExists_;
    Faults faults_;
    std::map<std::string, std::string> direction_; ///< of ports
    std::set<std::string> mapped_;
};

} // namespace marquetry::test
