// RapidJSON's document, parsed with its UTF-8 checked, then copied into structs.
#include <rapidjson/document.h>

#include "measure.hpp"

using Value = rapidjson::Value;

static void read(const Value& value, Text& out) { out.assign(value.GetString(), value.GetStringLength()); }
static void read(const Value& value, bool& out) { out = value.GetBool(); }
static void read(const Value& value, double& out) { out = value.GetDouble(); }
static void read(const Value& value, int32_t& out) { out = value.GetInt(); }
static void read(const Value& value, OptionalText& out) {
    if (!value.IsNull()) out.emplace(value.GetString(), value.GetStringLength());
}
template <class Element> static void read(const Value& value, std::vector<Element>& out) {
    out.reserve(value.Size());
    for (const Value& element : value.GetArray()) read(element, out.emplace_back());
}

/// Members are looked for from the one read last on.
struct Fields {
    const Value& object;
    Value::ConstMemberIterator next = object.MemberBegin();

    template <class Out> void operator()(const char* key, Out& out) {
        const Value name(rapidjson::StringRef(key));
        if (next == object.MemberEnd() || next->name != name) next = object.FindMember(name);
        if (next == object.MemberEnd()) std::abort();
        read(next->value, out);
        ++next;
    }
};

template <class Item> struct RapidJSON {
    static void measure(const char* path) {
        const std::string json = contents(path);
        ::measure<Item>([&] {
            rapidjson::Document document;
            document.Parse<rapidjson::kParseValidateEncodingFlag>(json.data(), json.size());
            if (document.HasParseError()) std::abort();
            const Value& list = document[Item::list];
            std::vector<Item> items(list.Size());
            for (rapidjson::SizeType index = 0; index < list.Size(); ++index) {
                Fields fields{list[index]};
                items[index].visit(fields);
            }
            return items;
        });
    }
};

int main(int count, char** words) { return run<RapidJSON>(count, words); }
