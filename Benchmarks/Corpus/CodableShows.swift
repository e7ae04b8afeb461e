struct CodableShows: CodableDocument {
    let page: Int32
    let results: [CodableShow]
    let totalPages: Int32
    let totalResults: Int32

    var texts: [String: [String?]] {
        ["name": results.map { $0.name }, "overview": results.map { $0.overview }]
    }

    enum CodingKeys: String, CodingKey {
        case page, results
        case totalPages = "total_pages"
        case totalResults = "total_results"
    }
}

struct CodableShow: Codable {
    let adult: Bool
    let backdropPath: String?
    let id: Int32
    let name: String
    let originalLanguage: String
    let originalName: String
    let overview: String
    let posterPath: String?
    let mediaType: String
    let genreIDs: [Int32]
    let popularity: Double
    let firstAirDate: String
    let voteAverage: Double
    let voteCount: Int32
    let originCountry: [String]

    enum CodingKeys: String, CodingKey {
        case adult, id, name, overview, popularity
        case backdropPath = "backdrop_path"
        case originalLanguage = "original_language"
        case originalName = "original_name"
        case posterPath = "poster_path"
        case mediaType = "media_type"
        case genreIDs = "genre_ids"
        case firstAirDate = "first_air_date"
        case voteAverage = "vote_average"
        case voteCount = "vote_count"
        case originCountry = "origin_country"
    }
}
