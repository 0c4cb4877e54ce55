extension Explanation {
  static let traps = classes + mappings + objects

  private static func trap(
    _ trap: Trap, _ name: String, _ meaning: String, causes: [String], remedies: [String]
  ) -> Explanation {
    Explanation(trap.rawValue, name, meaning: meaning, causes: causes, remedies: remedies)
  }

  /// Policies that aren't found, or whose code stops.
  private static let classes: [Explanation] = [
    trap(
      .missingModule, "a policy named without its module",
      "Swift classes are known at run time as Module.Class; the bare name finds nothing.",
      causes: ["The mapping editor's field Custom Policy has only the class's name."],
      remedies: ["Write the module before the class in the mapping, as App.SongPolicy."]),
    trap(
      .unknownPolicy, "a policy that isn't there", "No class of that name was compiled.",
      causes: [
        "The module's name differs: it is the target's name with all but letters and digits replaced "
          + "by _.", "The class was renamed, or its file isn't among the sources.",
      ],
      remedies: ["Compare module and class with the policy's source, and list all of its files."]),
    trap(
      .unknownSelector, "a method that the policy doesn't have",
      "A value expression calls a policy's method by a selector that it doesn't have.",
      causes: ["The selector doesn't match the method's Swift name, label by label."],
      remedies: [
        "Derive the selector from the method: base name, then each label with its colon; "
          + "price(for:manager:) is priceFor:manager:."
      ]),
    trap(
      .subclassCast, "a cast to the app's own class",
      "During a migration all objects are plain NSManagedObjects.",
      causes: ["A policy or one of its methods expects `as! Song`, or a parameter of type Song."],
      remedies: [
        "Take NSManagedObject and value(forKey:) in policies; the app's classes aren't used there."
      ]),
    trap(
      .unwrappedNil, "nil, unwrapped",
      "A policy met nil where it expected a value.",
      causes: ["Old rows have no value where today's code always sets one."],
      remedies: [
        "Use `guard let` or `as?` for what comes from a store; a row without a value belongs in "
          + "the scenario's seed."
      ]),
  ]

  /// Mappings that don't do what they seem to.
  private static let mappings: [Explanation] = [
    trap(
      .staleMapping, "a mapping model that no longer fits",
      "A mapping model fits two versions by their hashes. Core Data silently ignores one that doesn't "
        + "fit; its policies are never called.",
      causes: ["Either version was edited after the mapping model was made."],
      remedies: [
        "Recreate the mapping model (or refresh its source and destination models in Xcode) after "
          + "the last change of either version."
      ]),
    trap(
      .inferredInstead, "an inferred mapping instead of the policy",
      "Where no mapping model fits, Core Data infers one if it may: no policy is called.",
      causes: [
        "The mapping model no longer fits, or isn't in the chain.",
        "It belongs to another pair of versions than the step taken.",
      ],
      remedies: [
        "Give the step its mapping model, and expect `mapping: custom` so that this is noticed."
      ]),
    trap(
      .lostRename, "a renaming that Core Data doesn't know about",
      "Without a renaming identifier, a renamed property is a removed and an added one: its values "
        + "are lost without an error.",
      causes: [
        "The property was renamed in the editor, and its Renaming ID left empty.",
        "The Renaming ID is a name that the previous version doesn't have: an entity's objects are lost then, too.",
      ],
      remedies: [
        "Set the renaming identifier of the property or entity to its old name (`was` and the old name in the "
          + "short notation)."
      ]),
    trap(
      .notInMapping, "a property that the mapping model leaves out",
      "A mapping model sets what it has an expression for, and nothing else.",
      causes: ["The property is newer than the mapping, or its expression was left empty."],
      remedies: [
        "Give the property a value expression in the entity mapping, or set it in a policy."
      ]
    ),
    trap(
      .duplicates, "one object per row instead of one for all",
      "A policy made a new object each time where it should have used the one it had made before.",
      causes: ["Nothing looks in the destination context, or in userInfo, for the object first."],
      remedies: [
        "Fetch from the destination context (it sees unsaved objects) or keep a dictionary in the "
          + "manager's userInfo before inserting one more."
      ]),
    trap(
      .nilOverDefault, "nil in place of a default value",
      "A value expression that gives nil sets nil; the default value applies to properties without an expression.",
      causes: ["$source.x of rows where x is nil."],
      remedies: [
        "Leave the property out of the mapping, or write "
          + "TERNARY($source.x == nil, <default>, $source.x)."
      ]),
  ]

  /// Objects and their links.
  private static let objects: [Explanation] = [
    trap(
      .missingInverse, "a relationship whose two sides disagree",
      "An object leads to another that doesn't lead back.",
      causes: [
        "The relationship has no inverse in the model, so Core Data doesn't maintain both sides.",
        "Rows were written by other means than Core Data.",
      ],
      remedies: ["Set the inverse of the relationship at both ends, in every version."]),
    trap(
      .notAssociated, "an object that wasn't associated",
      "Later passes find what became of an object by the association that the first pass made.",
      causes: [
        "createDestinationInstances is overridden, doesn't call super, and doesn't call "
          + "manager.associate.",
        "No entity mapping takes the object: its filter, or an entity that is left out.",
      ],
      remedies: [
        "Call manager.associate(sourceInstance:withDestinationInstance:for:) for every object that "
          + "createDestinationInstances makes, and see that an entity mapping takes each source object."
      ]),
    trap(
      .foreignContext, "an object of the wrong context",
      "A relationship was set to an object of another context, usually one of the old store.",
      causes: ["A policy sets a source object where it should set what that has become."],
      remedies: [
        "Ask manager.destinationInstances(forEntityMappingName:sourceInstances:) for what the source "
          + "object has become."
      ]),
    trap(
      .wrongValueType, "a value of another type than the attribute's",
      "An expression or a policy gives a value that the attribute can't hold.",
      causes: ["Text where a number belongs, after the attribute's type was changed."],
      remedies: ["Convert the value in the expression or in a method of the policy."]),
  ]
}
