import Testing

import PorticoWire

@Test(arguments: StatusCode.allCases) func aStatusIsFoundAgainByItsName(code: StatusCode) {
    #expect(StatusCode(name: code.name) == code)
}
