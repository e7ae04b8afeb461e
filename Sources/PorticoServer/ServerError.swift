/// What keeps the server from starting; each has a sentence for the person who starts it.
package enum ServerError: Error, Equatable, Sendable {
    /// The kernel refused: the call's name, the address or path it was about, `errno`.
    case system(call: String, subject: String, errno: Int32)
    case addressInUse(String)
    case badAddress(String)
}
