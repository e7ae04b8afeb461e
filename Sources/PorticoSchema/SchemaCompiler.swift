import PorticoWire

/// Makes a ``Schema`` from schema files: parse, link, interpret the options, bind the methods.
///
///     a.proto:
///     syntax = "proto3";
///     service S { rpc Get(Request) returns (Answer) { option (portico.v1.upstream) = { base: "x" get: "y/{id}" }; } }
///     message Request { int32 id = 1; }
///     message Answer { string name = 1; }
///
/// gives two messages and a method `S/Get` with an upstream binding. Every stage goes on after a fault, so that a person
/// sees all of them at once; what would only follow from an earlier fault is left out.
package enum SchemaCompiler {
    /// - Parameter files: all files that any of them imports, except google/protobuf/descriptor.proto, which is built in.
    package static func compile(files: [SchemaFile]) throws(SchemaFaults) -> Schema {
        var faults = FaultList()
        var nodes: [FileNode] = []
        for file in files where file.path != DescriptorProto.path {
            let parsed = Parser.parse(file)
            parsed.faults.faults.forEach { faults.add($0) }
            nodes.append(parsed.file)
        }
        var linker = Linker(files: withDescriptorProto(nodes), faults: faults)
        linker.link()
        var interpreter = OptionInterpreter(linker)
        interpreter.interpretAll()
        let builder = SchemaBuilder(linker, files: interpreter.files)
        var binder = Binder(builder, faults: interpreter.faults)
        binder.bindAll()
        if !binder.faults.faults.isEmpty {
            throw SchemaFaults(faults: sorted(binder.faults.faults, files: files.map(\.path)))
        }
        return schema(builder, methods: binder.methods.map(\.descriptor), linker, interpreter.files)
    }

    /// A schema for clients: all methods are ``MethodBinding/builtIn``.
    /// - Parameter fileDescriptorSet: as ``Schema/fileDescriptorSet`` or protoc's `--descriptor_set_out
    ///   --include_imports` has it. Faults name a file's first line: descriptors keep no places.
    package static func decode(fileDescriptorSet: Span<UInt8>) throws(SchemaFaults) -> Schema {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fileDescriptorSet.count)
        for index in fileDescriptorSet.indices { bytes.append(fileDescriptorSet[index]) }
        var reader = DescriptorReader(bytes)
        do {
            try reader.readSet()
        } catch {
            let place = SourceLocation(file: "FileDescriptorSet", line: 1, column: error.offset + 1)
            throw SchemaFaults(
                faults: [
                    SchemaFault(location: place, message: "no FileDescriptorSet from byte \(error.offset) on")
                ])
        }
        var linker = Linker(files: withDescriptorProto(reader.files), faults: reader.faults)
        linker.link()
        if !linker.faults.faults.isEmpty { throw SchemaFaults(faults: linker.faults.faults) }
        let builder = SchemaBuilder(linker, files: linker.files)
        return schema(builder, methods: builder.methods.map(\.descriptor), linker, linker.files)
    }

    private static func withDescriptorProto(_ files: [FileNode]) -> [FileNode] {
        let isImported = files.contains { $0.imports.contains { $0.path.text == DescriptorProto.path } }
        // Options such as `deprecated` need it as well, whether or not it is imported.
        if files.contains(where: { $0.path == DescriptorProto.path }) { return files }
        var builtIn = DescriptorProto.file
        builtIn.isImplicit = !isImported
        return files + [builtIn]
    }

    private static func schema(
        _ builder: SchemaBuilder, methods: [MethodDescriptor], _ linker: Linker, _ files: [FileNode]
    ) -> Schema {
        let written = linker.order.map { files[$0] }.filter { !$0.isImplicit }
        return Schema(
            messages: builder.messages, enums: builder.enums, methods: methods,
            fileDescriptorSet: DescriptorWriter.fileDescriptorSet(written))
    }

    /// By file in the order given, then by place.
    private static func sorted(_ faults: [SchemaFault], files: [String]) -> [SchemaFault] {
        let ranks = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func key(_ fault: SchemaFault) -> (Int, Int, Int) {
            (ranks[fault.location.file] ?? .max, fault.location.line, fault.location.column)
        }
        return faults.sorted { key($0) < key($1) }
    }
}
