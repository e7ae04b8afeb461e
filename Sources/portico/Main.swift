@main
enum Portico {
    static func main() {
        print("portico")
    }
}
