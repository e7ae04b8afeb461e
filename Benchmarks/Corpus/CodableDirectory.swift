struct CodableDirectory: CodableDocument {
    let employees: [CodableEmployee]

    var texts: [String: [String?]] {
        ["full_name": employees.map { $0.fullName }, "biography": employees.map { $0.biography }]
    }
}

struct CodableEmployee: Codable {
    let uuid: String
    let fullName: String
    let phoneNumber: String?
    let emailAddress: String
    let biography: String?
    let photoURLSmall: String?
    let photoURLLarge: String?
    let team: String
    let employeeType: String

    enum CodingKeys: String, CodingKey {
        case uuid, biography, team
        case fullName = "full_name"
        case phoneNumber = "phone_number"
        case emailAddress = "email_address"
        case photoURLSmall = "photo_url_small"
        case photoURLLarge = "photo_url_large"
        case employeeType = "employee_type"
    }
}
