/// Entity mappings without a policy where the app has one that is named like the mapping, and that no mapping model
/// names: Xcode loses class names when it writes a mapping model again.
struct DroppedPolicyRule {
  let model: VersionedModel
  let mappings: MappingFolder

  var findings: [CheckFinding] {
    let all = mappings.mappings.flatMap { mapping in
      mapping.file.entityMappings.map {
        (mapping: mapping, name: $0.name, policy: $0.policyClassName)
      }
    }
    let open = all.filter { $0.policy?.isEmpty != false }
    if open.isEmpty { return [] }
    let named = Set(all.compactMap { $0.policy?.split(separator: ".").last.map(String.init) })
    let dropped = policies.filter { !named.contains($0.name) }
    return open.compactMap { entry in
      guard let policy = dropped.first(where: { $0.mappingName == entry.name.lowercased() }) else {
        return nil
      }
      return CheckFinding(
        .policyDropped,
        about: CheckFinding.Subject(
          step: entry.mapping.namedVersions.map { VersionPair($0.source, $0.destination) },
          file: entry.mapping.file.url.lastPathComponent),
        "\(entry.name) has no policy, and no mapping model names \(policy.name) of \(policy.file.lastPathComponent)",
        advice: "Enter the class as its custom policy in Xcode, or remove the class.")
    }
  }

  private struct Policy {
    let name: String
    let file: URL

    /// The entity mapping that it seems to be for.
    var mappingName: String {
      name.lowercased().replacing(/(migration)?policy$/, with: "")
    }
  }

  /// The policies that Swift files beside the model declare.
  private var policies: [Policy] {
    // A file that can't be read declares nothing that could be told here.
    let folder = ModelHome(ofModelAt: model.url).folder
    let files = (try? FolderSearch(folder).files(withExtensions: ["swift"])) ?? []
    return files.flatMap { file in
      let text = (try? Data(reading: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return text.matches(of: /\bclass\s+(\w+)\s*:\s*(?:CoreData\.)?NSEntityMigrationPolicy\b/).map
      {
        Policy(name: String($0.1), file: file)
      }
    }
  }
}
