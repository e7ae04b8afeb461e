import PorticoUpstream
import Testing

@Suite struct HTTPDateTests {
    private static let dates: [(Int64, String)] = [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (4_133_980_799, "Fri, 31 Dec 2100 23:59:59 GMT"),
    ]

    @Test(arguments: dates) func datesAreWrittenAndReadAsHTTPWritesThem(seconds: Int64, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
        #expect(HTTPDate.secondsSince1970(text) == seconds)
    }

    @Test func timesBefore1970AreWritten() {
        #expect(HTTPDate.text(secondsSince1970: -1) == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Tuesday, 29-Feb-00 00:00:00 GMT", 951_782_400),
    ])
    func theObsoleteFormsAreRead(text: String, seconds: Int64) {
        #expect(HTTPDate.secondsSince1970(text) == seconds)
    }

    @Test(arguments: [
        "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08::49:37 GMT",
        "Sun Nov 6 1994 08:49:37", "Fun Nov  6 08:49:37 1994",
    ])
    func nothingElseIsADate(text: String) {
        #expect(HTTPDate.secondsSince1970(text) == nil)
    }

    @Test func whatIsWrittenIsRead() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let seconds = Int64.random(in: 0..<253_402_300_800, using: &generator)  // to the end of 9999
            #expect(HTTPDate.secondsSince1970(HTTPDate.text(secondsSince1970: seconds)) == seconds)
        }
    }
}
