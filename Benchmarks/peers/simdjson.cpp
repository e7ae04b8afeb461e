// simdjson on demand into structs. A wrong type, bad JSON or bad UTF-8 throws and ends the program.
#include <simdjson.h>

#include "measure.hpp"

namespace ondemand = simdjson::ondemand;

static void read(ondemand::value value, Text& out) { out = std::string_view(value.get_string()); }
static void read(ondemand::value value, bool& out) { out = value.get_bool(); }
static void read(ondemand::value value, double& out) { out = value.get_double(); }
static void read(ondemand::value value, int32_t& out) { out = int32_t(int64_t(value.get_int64())); }
static void read(ondemand::value value, OptionalText& out) {
    if (!value.is_null()) out = std::string_view(value.get_string());
}
template <class Element> static void read(ondemand::value value, std::vector<Element>& out) {
    for (ondemand::value element : value.get_array()) read(element, out.emplace_back());
}

/// `object[key]` looks from the field read last on, so that fields in the expected order are found at once.
struct Fields {
    ondemand::object object;
    template <class Value> void operator()(const char* key, Value& out) { read(object[key], out); }
};

template <class Item> struct Simdjson {
    static void measure(const char* path) {
        const simdjson::padded_string json(contents(path));
        ondemand::parser parser;
        ::measure<Item>([&] {
            std::vector<Item> items;
            ondemand::document document = parser.iterate(json);
            for (ondemand::value value : document[Item::list].get_array()) {
                Fields fields{value.get_object()};
                items.emplace_back().visit(fields);
            }
            return items;
        });
    }
};

int main(int count, char** words) { return run<Simdjson>(count, words); }
