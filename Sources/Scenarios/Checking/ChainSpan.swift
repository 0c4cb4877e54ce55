extension Scenario {
  /// The scenario with one step for each version that a span, as `v1 -> … -> v9`, passes.
  func spelledOut(_ models: VersionedModels, _ collector: DiagnosticCollector) -> Scenario {
    var result = self
    result.chain = chain.flatMap { step in
      step.isSpan ? ChainSpan(step: step, models: models).steps(collector) : [step]
    }
    return result
  }
}

/// A step of the chain that stands for several.
private struct ChainSpan {
  let step: ChainStep
  let models: VersionedModels

  /// One step from each version on the way to the next; the step itself where what is wrong with it is
  /// told elsewhere.
  func steps(_ collector: DiagnosticCollector) -> [ChainStep] {
    let ends = step.ends.value
    guard let first = models.names.firstIndex(of: ends.source),
      let last = models.names.firstIndex(of: ends.destination)
    else { return [step] }
    if let problem = models.orderProblems.first {
      collector.report(
        "it isn't certain which versions lie between: \(problem); write the steps one by one",
        at: step.ends.place)
      return [step]
    }
    guard first < last else {
      collector.report(
        "'\(ends.destination)' doesn't come after '\(ends.source)' in the order of the versions: "
          + models.names.joined(separator: ", "), at: step.ends.place)
      return [step]
    }
    return (first..<last).map { index in
      var single = step
      single.isSpan = false
      single.ends = Located(
        StepEnds(source: models.names[index], destination: models.names[index + 1]),
        at: step.ends.place)
      return single
    }
  }
}
