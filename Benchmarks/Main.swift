@main
enum Benchmarks {
    static func main() {
        print("benchmarks")
    }
}
