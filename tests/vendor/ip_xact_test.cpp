// component.xml against the rules of IP-XACT, and against the project it is made of.
#include "engine/vendor/ip_xact.h"

#include "engine/vendor/interfaces.h"
#include "engine/vendor/targets.h"
#include "engine/vendor/vivado_xml.h"
#include "tests/vendor/ip_xact_rules.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>

namespace marquetry::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

files::FolderFiles filesOf(const vendor::Project& project) {
    files::FolderFiles files = sampleFiles(project);
    files.merge(vendor::projectFiles("vivado", project));
    return files;
}

Faults faultsOf(const std::string& xml, const files::FolderFiles& files) {
    try {
        return IpXactRules([&](const std::string& path) { return files.contains(path); })
            .check(StrictXml::read(xml));
    } catch (const std::runtime_error& error) {
        return {error.what()};
    }
}

std::vector<vendor::Project> packaged() {
    return {controlledProject(), controlledProject("zu7ev", "zcu104"),
            plainProject(),      memoryProject("xc7z020"),
            oddProject(),        weightsProject(),
            keepingProject()};
}

/// The named elements anywhere below.
void collect(const XmlElement& element, const std::string& name,
             std::vector<const XmlElement*>& found) {
    if (element.name == "spirit:" + name)
        found.push_back(&element);
    for (const XmlElement& child : element.children)
        collect(child, name, found);
}

std::vector<const XmlElement*> allOf(const XmlElement& root, const std::string& name) {
    std::vector<const XmlElement*> found;
    collect(root, name, found);
    return found;
}

TEST(IpXact, ComponentsFollowTheSchema) {
    for (const vendor::Project& project : packaged())
        EXPECT_THAT(faultsOf(vendor::ipXact(project), filesOf(project)), IsEmpty()) << project.name;
}

TEST(IpXact, PortsAreThoseOfTheTop) {
    for (const vendor::Project& project : packaged()) {
        const XmlElement root = StrictXml::read(vendor::ipXact(project));
        const auto ports = allOf(root, "port");
        const std::vector<vendor::PlainPort> expected = vendor::portsOf(project);
        ASSERT_EQ(ports.size(), expected.size());
        for (std::size_t k = 0; k < ports.size(); ++k) {
            const XmlElement& wire = *ports[k]->first("spirit:wire");
            const XmlElement* vector = wire.first("spirit:vector");
            EXPECT_EQ(ports[k]->of("spirit:name"), expected[k].name);
            EXPECT_EQ(wire.of("spirit:direction"), expected[k].isInput ? "in" : "out");
            EXPECT_EQ(vector == nullptr ? 1 : std::stoi(vector->of("spirit:left")) + 1,
                      expected[k].bits);
        }
    }
}

TEST(IpXact, RegistersAreThoseOfTheTable) {
    const vendor::Project project = controlledProject();
    const XmlElement root = StrictXml::read(vendor::ipXact(project));
    const auto registers = allOf(root, "register");
    const auto& expected = project.control->registers.registers;
    ASSERT_EQ(registers.size(), expected.size());
    for (std::size_t k = 0; k < registers.size(); ++k) {
        EXPECT_EQ(registers[k]->of("spirit:name"), expected[k].name);
        EXPECT_EQ(registers[k]->of("spirit:addressOffset"), std::to_string(expected[k].offset));
        const auto fields = registers[k]->all("spirit:field");
        ASSERT_EQ(fields.size(), expected[k].fields.size());
        std::uint32_t reset = 0;
        for (std::size_t f = 0; f < fields.size(); ++f) {
            const hdl::ControlField& field = expected[k].fields[f];
            EXPECT_EQ(fields[f]->of("spirit:name"), field.name);
            EXPECT_EQ(fields[f]->of("spirit:bitOffset"), std::to_string(field.low));
            EXPECT_EQ(fields[f]->of("spirit:bitWidth"), std::to_string(field.bits));
            EXPECT_EQ(fields[f]->of("spirit:access"),
                      field.access == hdl::Access::Read ? "read-only" : "read-write");
            reset |= field.reset << field.low;
        }
        EXPECT_EQ(registers[k]->first("spirit:reset")->of("spirit:value"), std::to_string(reset));
    }
}

TEST(IpXact, WithoutRegistersThereAreStreamsAlone) {
    const XmlElement root = StrictXml::read(vendor::ipXact(plainProject()));
    EXPECT_EQ(root.first("spirit:memoryMaps"), nullptr);
    std::vector<std::string> names;
    for (const XmlElement* interface : allOf(root, "busInterface"))
        names.push_back(interface->of("spirit:name"));
    EXPECT_EQ(names, (std::vector<std::string>{"in", "out", "aresetn", "aclk"}));
}

TEST(IpXact, NamesOfInterfacesAreApartWithoutCase) {
    const vendor::InterfaceNames names = vendor::interfaceNames(oddProject());
    EXPECT_EQ(names.streams, (std::vector<std::string>{"set", "Set_1", "m_axis"}));
    EXPECT_EQ(names.control, "s_axi_1");
    vendor::Project project = plainProject();
    project.streams = {sampleStream("a", "a", true), sampleStream("b", "A", true),
                       sampleStream("c", "aclk", true), sampleStream("d", "", true),
                       sampleStream("e", "", true)};
    EXPECT_EQ(vendor::interfaceNames(project).streams,
              (std::vector<std::string>{"a", "A_1", "aclk_1", "s_axis", "s_axis_1"}));
}

TEST(IpXact, TextsAreEscaped) {
    vendor::XmlWriter xml("p");
    xml.open("a", {{"k", "1 < 2 & \"3\""}});
    xml.leaf("b", "<x> & \"y\" \x01\xff");
    xml.close();
    const XmlElement root = StrictXml::read(xml.text());
    EXPECT_EQ(root.attributes.at("p:k"), "1 < 2 & \"3\"");
    EXPECT_EQ(root.of("p:b"), "<x> & \"y\" \\x01\\xff");
}

struct PlantedFault {
    const char* from;
    const char* to;
    const char* expected;
};

const std::vector<PlantedFault> kFaults = {
    {"<spirit:physicalPort>\n            <spirit:name>image_tdata",
     "<spirit:physicalPort>\n            <spirit:name>imagine_tdata", "no port 'imagine_tdata'"},
    {"spirit:memoryMapRef=\"s_axi\"", "spirit:memoryMapRef=\"axi\"", "no memory map 'axi'"},
    {"<spirit:localName>xilinx_xpgui", "<spirit:localName>xilinx_xgui", "no file set"},
    {"<spirit:name>rtl/small_net_top.v", "<spirit:name>rtl/small_net.v", "no file"},
    {"<spirit:viewNameRef>xilinx", "<spirit:viewNameRef>vivado", "no view"},
    {"<spirit:vendor>marquetry</spirit:vendor>\n", "", "has no vendor"},
    {"<spirit:busInterfaces>", "<spirit:busInterface>", "no </spirit:busInterface>"},
    {"<spirit:direction>in<", "<spirit:direction>input<", "is none of"},
    {"<spirit:access>read-write<", "<spirit:access>rw<", "is none of"},
    {"<spirit:addressOffset>4<", "<spirit:addressOffset>0<", "two registers at 0"},
    {"<spirit:addressOffset>4<", "<spirit:addressOffset>4096<", "is behind the block"},
    {"<spirit:addressOffset>4<", "<spirit:addressOffset>0x4<", "is no number"},
    {"<spirit:bitOffset>1<", "<spirit:bitOffset>0<", "two fields at bit 0"},
    {"<spirit:bitOffset>1<", "<spirit:bitOffset>32<", "is behind the register"},
    {"<spirit:slave/>", "<spirit:master/>", "is no"},
    {"<spirit:slave/>", "", "has no slave|master|system"},
    {"<spirit:name>bias</spirit:name>", "<spirit:name>image</spirit:name>", "two interfaces"},
    {"<spirit:name>bias_tlast</spirit:name>", "<spirit:name>bias_tvalid</spirit:name>",
     "is of two interfaces"},
    {">s_axi:image:bias:scores<", ">s_axi:image:bias:score<", "no interface 'score'"},
    {"spirit:name=\"axis_rtl\"", "spirit:name=\"aximm_rtl\"", "disagree"},
    {"<spirit:fileType>verilogSource</spirit:fileType>", "", "has no type"},
    {"<spirit:modifiedWriteValue>oneToSet", "<spirit:modifiedWriteValue>setByOne", "is none of"},
    {"<spirit:width spirit:format=\"long\">32</spirit:width>\n", "", "has no width"},
    {"<spirit:size", "<spirit:length", "no </spirit:length>"},
    {"<spirit:name>HAS_TREADY", "<spirit:name>HAS_TLAST", "two parameters"},
    {"<spirit:version>1.0", "<spirit:version>1.0 ?", "is not as it should be"},
    {"<spirit:value spirit:format=\"long\">0<", "<spirit:value spirit:format=\"long\">x<",
     "has no number for its reset"},
    {"&", "&amp", "entity"},
};

TEST(IpXact, PlantedFaultsAreFound) {
    vendor::Project project = controlledProject();
    project.version = "0.1 & more";
    const std::string xml = vendor::ipXact(project);
    const files::FolderFiles files = filesOf(project);
    EXPECT_THAT(faultsOf(xml, files), IsEmpty());
    for (const PlantedFault& fault : kFaults) {
        std::string broken = xml;
        const auto at = broken.find(fault.from);
        ASSERT_NE(at, std::string::npos) << fault.from;
        broken.replace(at, std::string(fault.from).size(), fault.to);
        EXPECT_THAT(faultsOf(broken, files), Contains(HasSubstr(fault.expected)))
            << fault.from << " → " << fault.to;
    }
}

TEST(IpXact, ElementsOutOfOrderAreFound) {
    const vendor::Project project = controlledProject();
    std::string xml = vendor::ipXact(project);
    const std::string description =
        "  <spirit:description>" + vendor::coreDescription(project) + "</spirit:description>\n";
    const auto at = xml.find(description);
    ASSERT_NE(at, std::string::npos);
    xml.erase(at, description.size());
    xml.insert(xml.find("  <spirit:busInterfaces>"), description);
    EXPECT_THAT(faultsOf(xml, filesOf(project)), Contains(HasSubstr("out of order")));
}

} // namespace
} // namespace marquetry::test
