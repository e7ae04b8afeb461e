// What the fast lane knows about keys: one flat table of plain values, so that a step of the lane is a few loads from one
// place. Worked example, the key `name` of `string name = 1`, as the upstream writes it with quotes and colon:
//
//     22 6e 61 6d 65 22 3a          `"name":`, seven bytes: compared as one masked word
//     tag 0a, one byte              written as one word
//     step .text                    what to do with the value

/// What the lane does with a key's value.
enum LaneStep: UInt8, Sendable {
    /// Leaves it to the careful reader: messages, maps, bytes, keys that fill several fields.
    case careful
    /// A string, left out when empty.
    case text
    /// A string, empty or not.
    case explicitText
    case texts
    /// Numbers or bools, one behind the other.
    case packed
    case number
    case explicitNumber
    case enumeration
    case explicitEnumeration
}

struct LaneKey: Sendable {
    /// `"name":`, the first sixteen bytes.
    var words: (UInt64, UInt64)
    /// Which bytes of ``words`` belong to it.
    var masks: (UInt64, UInt64)
    /// Its last sixteen bytes, if it is longer than that.
    var lastWords: (UInt64, UInt64) = (0, 0)
    /// Bytes of `"name":`.
    var length: Int
    /// The tag's bytes, first lowest.
    var tag: UInt64 = 0
    var tagLength = 0
    /// The bit of its field among the fields of its message.
    var bit: UInt64 = 0
    /// The bits of the fields that must not be set before it: its own, and those of the others in its oneof.
    var rivals: UInt64 = 0
    var step = LaneStep.careful
    /// What its value begins with if the lane's loop reads it itself; else no byte at all.
    var opener = noOpener
    var kind = ValueKind.message
    /// Where its place is noted, if ``rivals`` has ``TapPlan/bit``: so far before the ``Predictions``.
    var tap: Int8 = 0
    /// Of an enum in ``LanePlan/indexes``.
    var names: Int32 = 0

    static let noOpener: UInt16 = 0x100
    /// Longer keys are left to the careful reader.
    static let maximumLength = 32

    init(name: String) {
        let text = Array("\"\(name)\":".utf8)
        let masks = [0, 8].map { offset -> UInt64 in
            let count = min(max(text.count - offset, 0), 8)
            return count == 8 ? .max : 1 << UInt64(8 * count) - 1
        }
        words = (text.span.word(at: 0), text.span.word(at: 8))
        self.masks = (masks[0], masks[1])
        length = text.count
        if text.count > 16 {
            lastWords = (text.span.word(at: text.count - 16), text.span.word(at: text.count - 8))
        }
    }
}

/// The lane's tables. They own their memory, so that a decode reads them without an array's checks, retains and releases:
/// with arrays `Benchmarks decode` ran at 470 MB/s.
@safe final class LanePlan: Sendable {
    // SAFETY: all are written in `init` only, and live as long as this object.
    nonisolated(unsafe) let keys: UnsafeMutablePointer<LaneKey>
    // SAFETY: as `keys`.
    nonisolated(unsafe) let slots: UnsafeMutablePointer<PerfectIndex.Slot>
    /// Of each object's keys, then of each enum's names.
    // SAFETY: as `keys`.
    nonisolated(unsafe) let indexes: UnsafeMutablePointer<PerfectIndex>

    /// ``UTF8States/row(of:)`` of every byte.
    // SAFETY: as `keys`.
    nonisolated(unsafe) let states: UnsafeMutablePointer<UInt64>
    /// ``FastLane/escapeTable``.
    // SAFETY: as `keys`.
    nonisolated(unsafe) let escapes: UnsafeMutablePointer<UInt32>

    init(keys: [LaneKey], slots: [PerfectIndex.Slot], indexes: [PerfectIndex]) {
        unsafe self.keys = Self.copy(keys)
        unsafe self.slots = Self.copy(slots)
        unsafe self.indexes = Self.copy(indexes)
        unsafe states = Self.copy((0...255).map { UTF8States.row(of: $0) })
        unsafe escapes = Self.copy(FastLane.escapeTable)
    }

    deinit {
        unsafe keys.deallocate()
        unsafe slots.deallocate()
        unsafe indexes.deallocate()
        unsafe states.deallocate()
        unsafe escapes.deallocate()
    }

    private static func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element>
    {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        for (index, element) in elements.enumerated() { unsafe (memory + index).initialize(to: element) }
        return unsafe memory
    }
}
