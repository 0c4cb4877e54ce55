import ArgumentParser

/// What hooks do that can be counted: equal on every machine.
enum HookCount: String, CaseIterable, Sendable {
  case fetches, fetched, faults, inserts, statements

  var name: String {
    switch self {
    case .fetched: "objects fetched"
    case .statements: "SQL statements"
    case .fetches, .faults, .inserts: rawValue
    }
  }

  func of(_ work: ContextWork) -> Int {
    switch self {
    case .fetches: work.fetches
    case .fetched: work.fetched
    case .faults: work.faults
    case .inserts: work.inserts
    case .statements: work.statements
    }
  }
}

/// The most of something that hooks may do for each source object: `fetches-per-object=4`.
package struct HookGate: ExpressibleByArgument, Sendable {
  let count: HookCount
  let most: Double

  package init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasSuffix("-per-object"), let most = Double(parts[1]),
      most >= 0, most.isFinite, let count = HookCount(rawValue: String(parts[0].dropLast(11)))
    else { return nil }
    (self.count, self.most) = (count, most)
  }

  package static var allValueStrings: [String] {
    HookCount.allCases.map { "\($0.rawValue)-per-object=<number>" }
  }

  /// What is beyond the gate, in words.
  func failures(of size: BenchResult.Size) -> [String] {
    size.hookSteps.compactMap { step in
      let all = step.hooks.reduce(0) { $0 + count.of($1.work) }
      let found = step.perObject(all)
      guard found > most,
        let worst = step.hooks.max(by: { count.of($0.work) < count.of($1.work) })
      else { return nil }
      return "\(CountText.text(size.objects)) objects: \(step.name) has "
        + String(format: "%.2f %@ per object, more than %g", found, count.name, most)
        + "; most of them in \(worst.entityMapping), \(worst.hook.rawValue)"
    }
  }
}

extension StepUsage {
  func perObject(_ count: Int) -> Double { Double(count) / Double(max(objects, 1)) }
}

extension BenchResult.Size {
  /// The steps in which hooks did something, as the first sample has them.
  var hookSteps: [StepUsage] { (samples.first?.steps ?? []).filter { !$0.hooks.isEmpty } }

  /// What each hook did for a source object of its step; those that did nothing are left out.
  var hookRows: [(name: String, cells: [String])] {
    hookSteps.flatMap { step in
      step.hooks.filter { $0.work != ContextWork() }.map { hook in
        let counts = [hook.calls] + HookCount.allCases.map { $0.of(hook.work) }
        return (
          "\(step.name), \(hook.entityMapping), \(hook.hook.rawValue)",
          counts.map { String(format: "%.2f", step.perObject($0)) }
        )
      }
    }
  }
}

extension BenchResult {
  /// What hooks do for each object more of, the more objects there are: from the smallest size to the largest.
  var growingHooks: [String] {
    guard let small = sizes.min(by: { $0.objects < $1.objects }),
      let large = sizes.max(by: { $0.objects < $1.objects }), large.objects >= 2 * small.objects
    else { return [] }
    return large.hookSteps.flatMap { step in
      step.hooks.flatMap { hook in
        HookCount.allCases.compactMap { count in
          let before = small.hookSteps.first { $0.name == step.name }
          let known = before?.hooks.first {
            $0.entityMapping == hook.entityMapping && $0.hook == hook.hook
          }
          guard let before, let known else { return nil }
          let old = before.perObject(count.of(known.work))
          let new = step.perObject(count.of(hook.work))
          // Whatever is done once has its part in few objects.
          guard new > 1.5 * old + 1 else { return nil }
          return "\(step.name), \(hook.entityMapping), \(hook.hook.rawValue): \(count.name) per "
            + String(format: "object grow with size, from %.2f to %.2f", old, new)
        }
      }
    }
  }
}
