/// A mapping file as Xcode writes it, with one entity mapping.
enum MappingFileText {
  /// - Parameters:
  ///   - entity: The entity of both versions.
  ///   - model: The model's name, of which `source` and `destination` are versions.
  ///   - fields: More of the entity mapping.
  ///   - objects: What `fields` refer to.
  static func of(
    _ entity: String, from source: String, to destination: String, in model: String,
    fields: String, objects: String = ""
  ) -> String {
    func path(_ version: String) -> String { "App/\(model).xcdatamodeld/\(version).xcdatamodel" }
    return """
      <database>
      <object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath" type="string">\(path(source))</attribute>
      <attribute name="destinationmodelpath" type="string">\(path(destination))</attribute>
      <relationship name="entitymappings" type="0/0" idrefs="z2"></relationship>
      </object>
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
}
