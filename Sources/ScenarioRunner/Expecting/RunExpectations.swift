/// Expectations about what a run did, rather than about the objects it made.
package struct RunExpectations {
  let run: RunFacts

  func check(_ expectation: Expectation) throws -> [Mismatch] {
    let place = expectation.place
    switch expectation.check {
    case .calls(let calls): return calls.compactMap(check)
    case .prints(let texts): return try texts.compactMap(check)
    case .trace(let lines): return trace(lines, at: place).map { [$0] } ?? []
    case .hops(let hops): return self.hops(hops, at: place).map { [$0] } ?? []
    case .mapping(let choice): return mapping(choice, at: place).map { [$0] } ?? []
    case .sourceUntouched:
      if try run.isSourceUntouched() { return [] }
      return [Mismatch(at: place, "source store", expected: "untouched", found: "changed")]
    case .destinationAbsent:
      if run.isDestinationAbsent() { return [] }
      return [Mismatch(at: place, "destination store", expected: "absent", found: "it is there")]
    case .store(let version):
      let found = try run.storeVersions()
      if found.contains(version.value) { return [] }
      return [
        Mismatch(
          at: place, "version of the store", expected: version.value,
          found: found.isEmpty ? "none of the scenario's" : found.joined(separator: ", "),
          repairs: found.first.map { [Repair(of: version.place, .text($0))] } ?? [])
      ]
    case .fails(let failure): return FailureMatcher(expectation: failure).mismatches(run.failure)
    default: return []
    }
  }

  private func check(_ call: CallCount) -> Mismatch? {
    let found = run.hops.reduce(0) { $0 + $1.calls(of: call.hook.value, for: call.target.value) }
    if found == call.count.value { return nil }
    return Mismatch(
      at: call.target.place, "calls of \(call.target.value).\(call.hook.value)",
      expected: "\(call.count.value)", found: "\(found)",
      notes: notesOnInference, repairs: [Repair(of: call.count.place, .number(found))])
  }

  private func check(_ text: PrintedCount) throws -> Mismatch? {
    let subject = "printed \"\(text.text.value)\""
    guard let printed = run.printed else {
      return Mismatch(
        at: text.text.place, subject, expected: "\(text.count.value)", found: "nobody knows",
        notes: ["what is printed can be counted where runs have processes of their own"])
    }
    let found = try printed.count(of: text.text.value)
    if found == text.count.value { return nil }
    return Mismatch(
      at: text.text.place, subject, expected: "\(text.count.value)", found: "\(found)",
      notes: notesOnInference, repairs: [Repair(of: text.count.place, .number(found))])
  }

  private var notesOnInference: [String] {
    inferredHops.isEmpty
      ? [] : ["a mapping was inferred in \(inferredHops), so no policy ran there"]
  }

  private var inferredHops: String {
    run.hops.filter { $0.mapping == .inferred }.map(\.hop).joined(separator: ", ")
  }

  private func trace(_ lines: [Located<String>], at place: SourcePlace) -> Mismatch? {
    let found = run.hops.flatMap { $0.events.map(\.description) }
    let expected = lines.map { $0.value.replacing(" x", with: " ×") }
    if found == expected { return nil }
    let first = zip(expected, found).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let index = first ?? min(expected.count, found.count)
    func line(_ list: [String]) -> String {
      index < list.count ? "\(index + 1). \(list[index])" : "the end after \(list.count)"
    }
    return Mismatch(
      at: lines.indices.contains(index) ? lines[index].place : place, "trace",
      expected: line(expected), found: line(found), notes: ["the whole trace:"] + found,
      repairs: [Repair(ofKey: place, .list(found.map { .text($0) }))])
  }

  /// A step that no mapping was found for wasn't executed.
  private func hops(_ expected: [HopExpectation], at place: SourcePlace) -> Mismatch? {
    let executed = run.hops.filter { $0.mapping != nil }
    let matches =
      expected.count == executed.count
      && zip(expected, executed).allSatisfy { wanted, found in
        wanted.hop.value.description == found.hop
          && (wanted.mapping == nil || wanted.mapping?.value == found.mapping)
      }
    if matches { return nil }
    let wanted = expected.map { hop in
      hop.hop.value.description + (hop.mapping.map { ": \($0.value.rawValue)" } ?? "")
    }
    let found = executed.map { "\($0.hop): \($0.mapping?.rawValue ?? "none")" }
    return Mismatch(
      at: place, "steps executed", expected: "[\(wanted.joined(separator: ", "))]",
      found: "[\(found.joined(separator: ", "))]",
      repairs: [Repair(ofKey: place, .list(notations(of: executed, as: expected)))])
  }

  /// The steps that were executed; with their mappings, unless the scenario leaves those out.
  private func notations(
    of executed: [HopReport], as expected: [HopExpectation]
  ) -> [Notation] {
    let namesMappings = expected.isEmpty || expected.contains { $0.mapping != nil }
    return executed.map { hop in
      guard namesMappings, let mapping = hop.mapping else { return .text(hop.hop) }
      return .entry(hop.hop, .text(mapping.rawValue))
    }
  }

  /// The kind of mapping that all steps used; nil where they differ.
  private var sharedMapping: MappingUse? {
    let uses = Set(run.hops.map(\.mapping))
    return uses.count == 1 ? uses.first ?? nil : nil
  }

  private func mapping(_ choice: Located<MappingUse>, at place: SourcePlace) -> Mismatch? {
    let others = run.hops.filter { $0.mapping != choice.value }
    if !run.hops.isEmpty, others.isEmpty { return nil }
    return Mismatch(
      at: place, "mapping", expected: choice.value.rawValue,
      found: run.hops.isEmpty
        ? "no step was executed"
        : others.map { "\($0.hop): \($0.mapping?.rawValue ?? "none")" }.joined(separator: ", "),
      repairs: sharedMapping.map { [Repair(of: choice.place, .text($0.rawValue))] } ?? [])
  }
}
