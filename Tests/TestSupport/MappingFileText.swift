/// Mapping files as Xcode writes them, for tests that need one and aren't about what is in it.
public enum MappingFileText {
  /// A file with one entity mapping.
  /// - Parameters:
  ///   - entity: The entity of both versions.
  ///   - model: The model's name, of which `source` and `destination` are versions.
  ///   - fields: More of the entity mapping.
  ///   - objects: What `fields` refer to, and more entity mappings.
  ///   - mappings: The identifiers of all entity mappings; that of the one is `z2`.
  public static func of(
    _ entity: String, from source: String, to destination: String, in model: String,
    fields: String = "", objects: String = "", mappings: String = "z2"
  ) -> String {
    """
    <database>
    \(self.model(model, from: source, to: destination, mappings: mappings))
    <object type="XDDEVENTITYMAPPING" id="z2">
    <attribute name="sourcename" type="string">\(entity)</attribute>
    <attribute name="destinationname" type="string">\(entity)</attribute>
    <attribute name="mappingnumber" type="int16">1</attribute>
    \(fields)
    </object>
    \(objects)
    </database>
    """
  }

  /// The object that names the versions and the entity mappings. Without the rest a file isn't well-formed.
  public static func model(
    _ name: String, from source: String, to destination: String, mappings: String = "z2"
  ) -> String {
    func path(_ version: String) -> String { "App/\(name).xcdatamodeld/\(version).xcdatamodel" }
    return """
      <object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath" type="string">\(path(source))</attribute>
      <attribute name="destinationmodelpath" type="string">\(path(destination))</attribute>
      <relationship name="entitymappings" type="0/0" idrefs="\(mappings)"></relationship>
      </object>
      """
  }
}
