#include "engine/rtl/write.h"

#include "engine/rtl/check.h"
#include "engine/rtl/write_expr.h"
#include "engine/support/assert.h"

namespace marquetry::rtl {

namespace {

constexpr std::size_t kColumns = 100;

class Writer {
public:
    Writer(const Module& module, const Names& names, const WriteParams& params)
        : module_(module), names_(names), params_(params), text_(names) {}

    std::string write() {
        for (const std::string& comment : module_.comments())
            out_ += comment.empty() ? "//\n" : "// " + commentText(comment) + "\n";
        header();
        depth_ = 1;
        items(module_.items());
        return out_ + "endmodule\n";
    }

private:
    /// A line, broken at spaces where it is too long.
    void line(std::string text) {
        std::string indent(static_cast<std::size_t>(4 * depth_), ' ');
        while (indent.size() + text.size() > kColumns) {
            std::size_t at = text.rfind(' ', kColumns - indent.size());
            if (at == std::string::npos || at == 0)
                at = text.find(' ', 1);
            if (at == std::string::npos)
                break;
            out_ += indent + text.substr(0, at) + "\n";
            text = text.substr(at + 1);
            indent.assign(static_cast<std::size_t>(4 * depth_ + 8), ' ');
        }
        out_ += indent + text + "\n";
    }

    void header() {
        out_ += "module " + names_.of(module_);
        const char* separator = " #(\n";
        for (const VariablePtr& parameter : module_.parameters()) {
            out_ += separator + ("    parameter " + names_.of(*parameter)) + " = " +
                    std::to_string(parameter->value);
            separator = ",\n";
        }
        out_ += module_.parameters().empty() ? " (\n" : "\n) (\n";
        for (std::size_t k = 0; k < module_.ports().size(); ++k) {
            const Net& port = *module_.ports()[k];
            const char* const kind = port.kind == Net::Kind::Input    ? "input  wire "
                                     : port.kind == Net::Kind::Output ? "output wire "
                                                                      : "output reg  ";
            out_.append("    ").append(kind).append(typeText(port.type)).append(names_.of(port));
            out_ += k + 1 < module_.ports().size() ? ",\n" : "\n";
        }
        out_ += ");\n";
    }

    std::string typeText(const SignalType& type) const {
        return (type.isSigned ? "signed " : "") + text_.range(type.width);
    }

    void items(const std::vector<Item>& items) {
        for (const Item& item : items)
            std::visit([this](const auto& is) { write(is); }, item.is);
    }

    void write(const Declaration& declaration) {
        const Net& net = *declaration.net;
        if (declaration.style)
            line("(* " + attribute(*declaration.style, params_.vendor) + " *)");
        if (!declaration.keptIf.empty()) {
            out_ += "`ifdef " + declaration.keptIf + "\n";
            line("(* keep *)");
            out_ += "`endif\n";
        }
        const char* const kind = net.kind == Net::Kind::Wire ? "wire " : "reg  ";
        std::string text = kind + typeText(net.type) + names_.of(net);
        if (net.kind == Net::Kind::Memory)
            text += " [0:" + text_.compact(net.depth - 1) + "]";
        if (declaration.value.size() != Size(0))
            text += " = " + text_.whole(declaration.value);
        line(text + ";");
    }

    void write(const Assignment& assignment) {
        line("assign " + text_.whole(assignment.target) + " = " + text_.whole(assignment.value) +
             ";");
    }

    void write(const Process& process) {
        declareCounters(process.statements);
        const bool clocked = process.clock.size() != Size(0);
        line(clocked ? "always @(posedge " + text_.whole(process.clock) + ")" +
                           opening(process.statements)
                     : "always @*" + opening(process.statements));
        body(process.statements, clocked ? " <= " : " = ");
    }

    void declareCounters(const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) {
            if (statement.variable)
                line("integer " + names_.of(*statement.variable) + ";");
            for (const Branch& branch : statement.branches)
                declareCounters(branch.statements);
        }
    }

    /// A single statement needs no begin: but an if does, lest an else be taken for another's.
    static bool isBare(const std::vector<Statement>& statements) {
        return statements.size() == 1 && statements[0].kind == Statement::Kind::Set;
    }
    static std::string opening(const std::vector<Statement>& statements) {
        return isBare(statements) ? "" : " begin";
    }

    void body(const std::vector<Statement>& statements, const char* arrow) {
        ++depth_;
        for (const Statement& statement : statements)
            write(statement, arrow);
        --depth_;
        if (!isBare(statements))
            line("end");
    }

    void write(const Statement& statement, const char* arrow) {
        switch (statement.kind) {
        case Statement::Kind::Set:
            return line(text_.whole(statement.target) + arrow + text_.whole(statement.value) + ";");
        case Statement::Kind::When:
            return writeWhen(statement, arrow);
        case Statement::Kind::Select:
            return writeSelect(statement, arrow);
        case Statement::Kind::Repeat: {
            const std::string name = names_.of(*statement.variable);
            const auto& inner = statement.branches[0].statements;
            line("for (" + name + " = 0; " + name + " < " + text_.size(statement.count) + "; " +
                 name + " = " + name + " + 1)" + opening(inner));
            return body(inner, arrow);
        }
        }
    }

    void writeWhen(const Statement& statement, const char* arrow) {
        std::string head;
        for (const Branch& branch : statement.branches) {
            if (branch.condition.size() != Size(0))
                head += "if (" + text_.condition(branch.condition) + ")";
            else
                head.pop_back();
            line(head + opening(branch.statements));
            ++depth_;
            for (const Statement& inner : branch.statements)
                write(inner, arrow);
            --depth_;
            head = isBare(branch.statements) ? "else " : "end else ";
        }
        if (!isBare(statement.branches.back().statements))
            line("end");
    }

    void writeSelect(const Statement& statement, const char* arrow) {
        line("case (" + text_.whole(statement.value) + ")");
        for (const Branch& branch : statement.branches) {
            const bool rest = branch.condition.size() == Size(0);
            const std::string head = rest ? "default:" : text_.whole(branch.condition) + ":";
            if (isBare(branch.statements)) {
                const Statement& only = branch.statements[0];
                line(head + " " + text_.whole(only.target) + arrow + text_.whole(only.value) + ";");
                continue;
            }
            line(head + " begin");
            body(branch.statements, arrow);
        }
        line("endcase");
    }

    void write(const Instance& instance) {
        std::string head = names_.of(*instance.module);
        std::string arguments;
        for (std::size_t k = 0; k < instance.parameters.size(); ++k)
            arguments += (k == 0 ? "." : ", .") + names_.of(*instance.module->parameters()[k]) +
                         "(" + text_.size(instance.parameters[k]) + ")";
        if (!arguments.empty())
            head += " #(" + arguments + ")";
        line(head + " " + names_.of(*instance.name) + " (");
        ++depth_;
        for (std::size_t k = 0; k < instance.ports.size(); ++k)
            line("." + names_.of(*instance.module->ports()[k]) + "(" +
                 (instance.ports[k].size() == Size(0) ? "" : text_.whole(instance.ports[k])) + ")" +
                 (k + 1 < instance.ports.size() ? "," : ""));
        --depth_;
        line(");");
    }

    /// Neither generate regions nor their variables nest.
    void write(const GenerateLoop& loop) {
        const bool outermost = !inLoop_;
        inLoop_ = true;
        if (outermost) {
            declareGenvars(loop);
            line("generate");
            ++depth_;
        }
        const std::string name = names_.of(*loop.variable);
        line("for (" + name + " = 0; " + name + " < " + text_.size(loop.count) + "; " + name +
             " = " + name + " + 1) begin : " + names_.of(*loop.name));
        ++depth_;
        items(loop.items);
        --depth_;
        line("end");
        if (outermost) {
            --depth_;
            line("endgenerate");
            inLoop_ = false;
        }
    }

    void declareGenvars(const GenerateLoop& loop) {
        line("genvar " + names_.of(*loop.variable) + ";");
        for (const Item& item : loop.items)
            if (const auto* inner = std::get_if<GenerateLoop>(&item.is))
                declareGenvars(*inner);
    }

    /// The first item is the title.
    void write(const Section& section) {
        if (section.items->size() > 1)
            items(*section.items);
    }

    void write(const SimulationOnly& simulated) {
        out_ += "`ifndef SYNTHESIS\n";
        items(simulated.items);
        out_ += "`endif\n";
    }

    void write(const Contents& contents) {
        if (contents.file)
            return raw("initial $readmemh(\"" + names_.fileOf(contents.file) + "\", " +
                       names_.of(*contents.nets[0]) + ");");
        out_ += "`ifndef SYNTHESIS\n";
        const std::string at = names_.of(*contents.counter);
        line("integer " + at + ";");
        line("initial begin");
        ++depth_;
        for (const NetPtr& net : contents.nets) {
            const std::string name = names_.of(*net);
            const std::string zero = text_.whole(zeros(net->type.width)) + ";";
            if (net->kind != Net::Kind::Memory) {
                line(name + " = " + zero);
                continue;
            }
            line("for (" + at + " = 0; " + at + " < " + text_.size(net->depth) + "; " + at + " = " +
                 at + " + 1)");
            line("    " + name + "[" + at + "] = " + zero);
        }
        --depth_;
        line("end");
        out_ += "`endif\n";
    }

    void write(const Assertions& all) {
        out_ += "`ifndef SYNTHESIS\n`ifdef FORMAL\n";
        const std::string clock = text_.whole(all.clock);
        const std::string reset = text_.whole(all.reset);
        const std::string started = names_.of(*all.started);
        line("reg " + started + " = 1'b0;");
        line("always @(posedge " + clock + ") " + started + " <= 1'b1;");
        line("always @* if (!" + started + ") assume (!" + reset + ");");
        line("always @* if (" + started + ") begin");
        ++depth_;
        for (const Expr& invariant : all.invariants)
            line("assert (" + text_.whole(invariant) + ");");
        for (const Assertions::Wrong& wrong : all.wrong)
            line("assert (" + text_.condition(~wrong.when) + ");");
        --depth_;
        line("end");
        out_ += "`else\n";
        line("always @(posedge " + clock + ") if (" + reset + ") begin");
        ++depth_;
        for (const Assertions::Wrong& wrong : all.wrong) {
            line("if (" + text_.condition(wrong.when) + ") begin");
            raw("    $display(\"" + quoted(wrong.message) + "\");");
            line("    $stop;");
            line("end");
        }
        --depth_;
        line("end");
        out_ += "`endif\n`endif\n";
    }

    /// Inside quotes, for $display: plain text.
    static std::string quoted(const std::string& message) {
        std::string text = commentText(message);
        for (char& c : text)
            c = c == '"' || c == '\\' || c == '%' ? '?' : c;
        return text;
    }

    void write(const Remark& remark) {
        if (remark.text.empty())
            out_ += "\n";
        else
            raw("// " + std::string(remark.directive ? "verilator " : "") +
                commentText(remark.text));
    }

    /// A line whose spaces mean something.
    void raw(const std::string& text) {
        out_ += std::string(static_cast<std::size_t>(4 * depth_), ' ') + text + "\n";
    }

    const Module& module_;
    const Names& names_;
    const WriteParams& params_;
    ExprText text_;
    std::string out_;
    int depth_ = 0;
    bool inLoop_ = false;
};

} // namespace

std::string commentText(std::string_view text) {
    constexpr std::string_view kTimes = "\u00d7"; // in names of units: 64 x 576
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto code = static_cast<unsigned char>(text[at]);
        if (text.substr(at).starts_with(kTimes))
            result += 'x';
        else if (code < ' ' || code == 0x7f)
            result += ' ';
        else if (code < 0x80)
            result += text[at];
        else if ((code & 0xc0) != 0x80) // the first byte of a character
            result += '?';
    }
    return result;
}

std::string writeVerilog(const Module& module, const Names& names, const WriteParams& params) {
    ENGINE_ASSERT(faults(module).empty(), "only sound modules are written");
    return Writer(module, names, params).write();
}

} // namespace marquetry::rtl
