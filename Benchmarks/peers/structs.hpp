// What the C++ peers fill: the messages of ../Corpus/corpora.proto as plain structs. Each names its fields once,
// in `visit`, for whatever reader comes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using Text = std::string;
using Texts = std::vector<std::string>;
using OptionalText = std::optional<std::string>;

struct Person {
    Text name, height, mass, hair_color, skin_color, eye_color, birth_year, gender, homeworld;
    Texts films, species, vehicles, starships;
    Text created, edited, url;

    template <class Visitor> void visit(Visitor& field) {
        field("name", name), field("height", height), field("mass", mass), field("hair_color", hair_color);
        field("skin_color", skin_color), field("eye_color", eye_color), field("birth_year", birth_year);
        field("gender", gender), field("homeworld", homeworld), field("films", films);
        field("species", species), field("vehicles", vehicles), field("starships", starships);
        field("created", created), field("edited", edited), field("url", url);
    }
    const Text& title() const { return name; }
    static constexpr const char* list = "results";
};

struct Employee {
    Text uuid, full_name;
    OptionalText phone_number;
    Text email_address;
    OptionalText biography, photo_url_small, photo_url_large;
    Text team, employee_type;

    template <class Visitor> void visit(Visitor& field) {
        field("uuid", uuid), field("full_name", full_name), field("phone_number", phone_number);
        field("email_address", email_address), field("biography", biography);
        field("photo_url_small", photo_url_small), field("photo_url_large", photo_url_large);
        field("team", team), field("employee_type", employee_type);
    }
    const Text& title() const { return full_name; }
    static constexpr const char* list = "employees";
};

struct Show {
    bool adult;
    OptionalText backdrop_path;
    int32_t id;
    Text name, original_language, original_name, overview;
    OptionalText poster_path;
    Text media_type;
    std::vector<int32_t> genre_ids;
    double popularity;
    Text first_air_date;
    double vote_average;
    int32_t vote_count;
    Texts origin_country;

    template <class Visitor> void visit(Visitor& field) {
        field("adult", adult), field("backdrop_path", backdrop_path), field("id", id), field("name", name);
        field("original_language", original_language), field("original_name", original_name);
        field("overview", overview), field("poster_path", poster_path), field("media_type", media_type);
        field("genre_ids", genre_ids), field("popularity", popularity);
        field("first_air_date", first_air_date), field("vote_average", vote_average);
        field("vote_count", vote_count), field("origin_country", origin_country);
    }
    const Text& title() const { return name; }
    static constexpr const char* list = "results";
};
