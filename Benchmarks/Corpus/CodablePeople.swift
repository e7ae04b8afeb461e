/// What a Swift program decodes the upstream's answer into.
struct CodablePage: CodableDocument {
    let count: Int
    let next: String?
    let previous: String?
    let results: [CodablePerson]

    var texts: [String: [String?]] {
        ["name": results.map { $0.name }, "eye_color": results.map { $0.eyeColor }]
    }
}

struct CodablePerson: Codable {
    let name: String
    let height: String
    let mass: String
    let hairColor: String
    let skinColor: String
    let eyeColor: String
    let birthYear: String
    let gender: String
    let homeworld: String
    let films: [String]
    let species: [String]
    let vehicles: [String]
    let starships: [String]
    let created: String
    let edited: String
    let url: String

    enum CodingKeys: String, CodingKey {
        case name, height, mass, gender, homeworld, films, species, vehicles, starships, created, edited, url
        case hairColor = "hair_color"
        case skinColor = "skin_color"
        case eyeColor = "eye_color"
        case birthYear = "birth_year"
    }
}
