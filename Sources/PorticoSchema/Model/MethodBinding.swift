/// How a method gets its answer, from its options in the schema.
package enum MethodBinding: Sendable {
    /// `(portico.v1.upstream)`: one HTTP call; the response message maps onto the JSON root.
    case upstream(UpstreamBinding)
    /// `(portico.v1.view)`: derived from the answer of another method of the same service.
    case view(ViewBinding)
    /// `(portico.v1.image)`: through the image cache; the response is `portico.v1.Image`.
    case image(ImageBinding)
    /// `(portico.v1.compose)`: put together from the answers of other methods.
    case compose(ComposeBinding)
    /// `portico.v1.Control/…`: the server answers by itself.
    case builtIn

    /// Calling it changes something at its upstream.
    package var isWrite: Bool {
        switch self {
        case .upstream(let binding): !binding.method.isRead
        case .view, .image, .compose, .builtIn: false
        }
    }
}

package enum HTTPMethod: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// RFC 9110 section 9.2.2.
    package var isIdempotent: Bool {
        switch self {
        case .get, .put, .delete: true
        case .post, .patch: false
        }
    }

    /// Its answer is kept and shared; what is asked with another method changes something.
    package var isRead: Bool { self == .get }
}

/// Text with `{field}` places that the request message fills: `people/?page={page}`.
package struct Template: Equatable, Sendable {
    package enum Piece: Equatable, Sendable {
        case literal(String)
        /// A scalar or enum field of the request by proto name, perhaps inside a message of it: `employee.uuid`.
        case field(String)
    }
    package var pieces: [Piece]
    package init(_ pieces: [Piece]) { self.pieces = pieces }
}

/// A path below the upstream's base, and query items of which an unset field drops its own.
package struct PathTemplate: Equatable, Sendable {
    package var path: Template
    package var query: [QueryItem]

    package struct QueryItem: Equatable, Sendable {
        package var name: String
        package var value: Template
        package init(name: String, value: Template) {
            self.name = name
            self.value = value
        }
    }

    package init(path: Template, query: [QueryItem]) {
        self.path = path
        self.query = query
    }
}

package struct UpstreamBinding: Sendable {
    /// The upstream's name in the environment file.
    package var base: String
    package var method: HTTPMethod
    package var path: PathTemplate
    /// Where in the JSON the response message begins, e.g. `["data"]`; empty: the root.
    package var root: [String]
    /// The message field of the request that is sent as JSON body; nil: no body.
    package var body: String?
    package var paging: PagingBinding?
    package var envelope: EnvelopeBinding?

    package init(
        base: String, method: HTTPMethod, path: PathTemplate, root: [String] = [], body: String? = nil,
        paging: PagingBinding? = nil, envelope: EnvelopeBinding? = nil
    ) {
        self.base = base
        self.method = method
        self.path = path
        self.root = root
        self.body = body
        self.paging = paging
        self.envelope = envelope
    }
}

/// Which fields carry the paging of a list; all are proto names, validated when the schema is linked.
package struct PagingBinding: Sendable {
    /// Repeated message field of the response.
    package var items: String
    /// Response field that is set while more pages follow.
    package var next: String?
    /// Integer field of the request that chooses the page, counted from 1.
    package var page: String
    /// Integer response field: number of all items.
    package var total: String?
    /// Integer response field: number of pages.
    package var totalPages: String?
    /// Fetch page N+1 behind an answered page N.
    package var prefetches: Bool
    /// Whether a list followed to its end may lack pages that cannot be had.
    package var allowsPartial: Bool

    package init(
        items: String, next: String? = nil, page: String, total: String? = nil, totalPages: String? = nil,
        prefetches: Bool = false, allowsPartial: Bool = false
    ) {
        self.items = items
        self.next = next
        self.page = page
        self.total = total
        self.totalPages = totalPages
        self.prefetches = prefetches
        self.allowsPartial = allowsPartial
    }
}

/// A status inside the JSON that decides, whatever HTTP says, and where its error text lies.
package struct EnvelopeBinding: Sendable {
    /// JSON path of the status; empty: none, only ``messages`` matter.
    package var field: [String]
    package var equals: String
    /// JSON paths of the error text, the first found wins.
    package var messages: [[String]]
    /// The text when none is found.
    package var otherwise: String?

    package init(field: [String], equals: String, messages: [[String]], otherwise: String? = nil) {
        self.field = field
        self.equals = equals
        self.messages = messages
        self.otherwise = otherwise
    }
}

/// A field of a record, possibly in a nested message: proto names from the record on.
package typealias FieldPath = [String]

package struct ViewBinding: Sendable {
    /// Name of the source method in the same service; bound to an upstream, with paging or a single repeated message field.
    package var from: MethodID
    package var allPages: Bool
    package var filters: [Filter]
    package var sort: [SortKey]
    package var group: Grouping?
    package var page: Page?
    /// Of which the fields with the role DISTINCT count the different values, those of unset fields left out.
    package var distinct: FieldPath?
    /// Done to the source's records before anything else, one after the other.
    package var joins: [JoinBinding]
    /// The source's answer as it is, but for what is joined; everything above is unset.
    package var isWhole: Bool

    package init(
        from: MethodID, allPages: Bool = false, filters: [Filter] = [], sort: [SortKey] = [],
        group: Grouping? = nil, page: Page? = nil, distinct: FieldPath? = nil, joins: [JoinBinding] = [],
        isWhole: Bool = false
    ) {
        self.from = from
        self.allPages = allPages
        self.filters = filters
        self.sort = sort
        self.group = group
        self.page = page
        self.distinct = distinct
        self.joins = joins
        self.isWhole = isWhole
    }

    /// `where`: one comparison; all of a view's comparisons must hold. `"eye_color"` alone means `eye_color = {eye_color}`.
    package struct Filter: Sendable {
        package enum Comparison: String, Sendable {
            case equal = "="
            case notEqual = "!="
            case less = "<"
            case lessOrEqual = "<="
            case greater = ">"
            case greaterOrEqual = ">="
            /// Text only, without regard to case.
            case contains
            /// Text only.
            case startsWith = "starts_with"
        }
        package enum Operand: Equatable, Sendable {
            /// A field of the request; while it is unset the comparison is left out.
            case request(String)
            case text(String)
            case number(Double)
            case bool(Bool)
        }
        package var field: FieldPath
        package var comparison: Comparison
        package var operand: Operand
        package init(field: FieldPath, comparison: Comparison, operand: Operand) {
            self.field = field
            self.comparison = comparison
            self.operand = operand
        }
    }

    /// `sort`: `"name"` or `"name desc"`; text by Unicode scalars, numbers as numbers, missing last in both directions.
    package struct SortKey: Equatable, Sendable {
        package var field: FieldPath
        package var isDescending: Bool
        package init(field: FieldPath, isDescending: Bool = false) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    package struct Grouping: Sendable {
        package enum Order: String, Sendable {
            case firstSeen = "FIRST_SEEN"
            case key = "KEY"
            /// Largest first, equal counts by first seen.
            case count = "COUNT"
        }
        package var by: FieldPath
        package var order: Order
        /// `{key}` and `{count}` are filled in: `{key} ({count})`.
        package var label: Template?
        package init(by: FieldPath, order: Order, label: Template? = nil) {
            self.by = by
            self.order = order
            self.label = label
        }
    }

    /// Pages the view's own result: its items, or its groups when it groups.
    package struct Page: Equatable, Sendable {
        /// Integer field of the request.
        package var size: String
        /// Integer field of the request, counted from 1; unset is the first page.
        package var number: String?
        /// String field of the request that takes what the last answer's field with the role CURSOR held. Set, it
        /// decides, and not ``number``. One of the two is always there.
        package var cursor: String?
        package var defaultSize: Int
        package var maximumSize: Int
        package init(
            size: String, number: String? = nil, cursor: String? = nil, defaultSize: Int, maximumSize: Int
        ) {
            self.size = size
            self.number = number
            self.cursor = cursor
            self.defaultSize = defaultSize
            self.maximumSize = maximumSize
        }
    }
}

package struct ImageBinding: Sendable {
    /// The upstream's name in the environment file; only URLs under its base are fetched.
    package var base: String
    package enum Source: Sendable {
        /// A path below the base, filled from the request: `w{width}/{poster_path}`.
        case path(PathTemplate)
        /// A field that holds an absolute URL; of the request, or of ``ImageBinding/from``'s answer when that is set.
        case url(field: String)
    }
    package var source: Source
    /// A method of the same service that is called first, its request filled by fields of equal name.
    package var from: MethodID?

    package init(base: String, source: Source, from: MethodID? = nil) {
        self.base = base
        self.source = source
        self.from = from
    }
}
