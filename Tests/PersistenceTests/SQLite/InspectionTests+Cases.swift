import Testing

// Stores that were damaged, each with all that is found then.

extension InspectionTests {
  /// A store that was damaged, and all that is found then.
  struct Case: CustomTestStringConvertible {
    let shape: StoreShape
    let sql: [String]
    let expected: [String]

    init(_ shape: StoreShape, _ sql: String..., expecting expected: [String]) {
      self.shape = shape
      self.sql = sql
      self.expected = expected
    }

    var testDescription: String { sql.joined(separator: "; ") }
  }

  // MARK: Relationships

  static let relationships: [Case] = [
    Case(
      .inheritance, "UPDATE ZREACTION SET ZMESSAGE = 99 WHERE Z_PK < 3",
      expecting: [
        "error dangling-reference: Reaction.message: 2 rows lead to no existing Message "
          + "[Reaction/p1 -> Message/p99, Reaction/p2 -> Message/p99]"
      ]),
    Case(
      .inheritance, "UPDATE ZCONVERSATION SET ZPINNED = 1, Z4_PINNED = 3 WHERE Z_PK = 2",
      expecting: [
        "error wrong-destination: Conversation.pinned: 1 row leads to a row that isn't "
          + "a TextMessage [Conversation/p2 -> SystemMessage/p1]"
      ]),
    Case(
      .inheritance, "UPDATE ZREACTION SET Z2_MESSAGE = 4 WHERE Z_PK = 1",
      "UPDATE ZREACTION SET Z2_MESSAGE = NULL WHERE Z_PK = 2",
      expecting: [
        "error wrong-entity-column: Reaction.message: 2 rows name an entity other than the "
          + "destination's (Z2_MESSAGE) [Reaction/p1 -> SystemMessage/p1, Reaction/p2 -> "
          + "SystemMessage/p1]"
      ]),
    Case(
      .library, "UPDATE ZITEM SET ZCOVER = 3 WHERE Z_PK = 6",
      "UPDATE ZCOVER SET ZBOOK = 7 WHERE Z_PK = 2",
      expecting: [
        "error one-sided-inverse: Cover.book: 1 row leads to a row whose cover doesn't "
          + "lead back [Cover/p2 -> Book/p7]",
        "error one-sided-inverse: Book.cover: 1 row leads to a row whose book doesn't "
          + "lead back [Book/p6 -> Cover/p3]",
      ]),
    Case(
      .inheritance, "INSERT INTO Z_3USERS VALUES (1, 99)", "INSERT INTO Z_3USERS VALUES (5, 2)",
      expecting: [
        "error orphan-link: SystemMessage.users: 1 link leads to no existing User "
          + "[SystemMessage/p1 -> User/p99]",
        "error orphan-link: User.system: 1 link leads to no existing SystemMessage "
          + "[User/p2 -> SystemMessage/p5]",
      ]),
    Case(
      .withoutInverse, "UPDATE ZPAGE SET Z2PAGES = 9 WHERE Z_PK = 2",
      expecting: [
        "error dangling-reference: Book.pages: 1 row leads to no existing Book [Page/p2 "
          + "-> Book/p9]"
      ]),
    Case(
      .inheritance, "UPDATE ZMESSAGE SET Z_FOK_CONVERSATION = NULL WHERE Z_PK = 3",
      expecting: [
        "note missing-order: Message.conversation: 1 place is missing in the order "
          + "(Z_FOK_CONVERSATION); such rows come last [SystemMessage/p3]"
      ]),
    Case(
      .inheritance, "UPDATE ZMESSAGE SET ZCONVERSATION = 1, Z_FOK_CONVERSATION = 9 WHERE Z_PK < 3",
      expecting: [
        "note equal-order: Message.conversation: 2 places are another's too in the order "
          + "(Z_FOK_CONVERSATION); which of them comes first isn't known "
          + "[SystemMessage/p1, SystemMessage/p2]"
      ]),
  ]

  // MARK: Rows

  static let rows: [Case] = [
    Case(
      .library, "UPDATE ZCHAPTER SET Z_PK = 0 WHERE Z_PK = 2",
      expecting: [
        "error primary-key: Chapter: 1 row has a primary key (Z_PK) below 1, which Core Data never "
          + "gives [Chapter/p0]"
      ]),
    Case(
      .library, "UPDATE ZCHAPTER SET Z_ENT = 77 WHERE Z_PK = 2",
      "UPDATE ZCHAPTER SET Z_ENT = NULL WHERE Z_PK = 3",
      expecting: [
        "warning wrong-entity: ZCHAPTER: 2 rows have a Z_ENT of another table or of no "
          + "entity at all; the table holds only Chapter, so they are read as such "
          + "[ZCHAPTER/p2: Z_ENT is 77, ZCHAPTER/p3: Z_ENT is NULL]"
      ]),
    Case(
      .library, "UPDATE ZITEM SET Z_ENT = 77 WHERE Z_PK = 2", "DELETE FROM Z_3TAGS",
      "UPDATE ZCHAPTER SET ZBOOK = NULL", "UPDATE ZITEM SET ZCOVER = NULL",
      "UPDATE ZCOVER SET ZBOOK = NULL",
      expecting: [
        "error wrong-entity: ZITEM: 1 row has a Z_ENT of another table or of no entity at all "
          + "[ZITEM/p2: Z_ENT is 77]"
      ]),
    Case(
      .inheritance, "UPDATE ZMESSAGE SET Z_ENT = 2 WHERE Z_PK = 1",
      expecting: [
        "error abstract-entity: Message: 1 row is of an abstract entity [Message/p1]",
        "error wrong-entity-column: Reaction.message: 4 rows name an entity other than the "
          + "destination's (Z2_MESSAGE) [Reaction/p1 -> Message/p1, Reaction/p2 -> "
          + "Message/p1, Reaction/p3 -> Message/p1, Reaction/p4 -> Message/p1]",
      ]),
    Case(
      .library, "UPDATE ZITEM SET ZTITLE = NULL, ZSHELF = NULL",
      "UPDATE ZTAG SET ZNAME = NULL WHERE Z_PK > 1",
      expecting: [
        "warning missing-value: Tag.name: 3 rows lack a required value [Tag/p2, Tag/p3, "
          + "Tag/p4]"
      ]),
    Case(
      .everyAttributeType, "UPDATE ZSAMPLE SET ZASTRING = CAST(x'41ff' AS TEXT) WHERE Z_PK = 3",
      "UPDATE ZSAMPLE SET ZASTRING = 'Ä' WHERE Z_PK = 1",
      expecting: [
        "error wrong-type: Sample.astring: 1 row holds something other than valid UTF-8 [Sample/p3]"
      ]),
    Case(
      .everyAttributeType, "UPDATE ZSAMPLE SET ZAUUID = x'0102', ZABOOLEAN = 2 WHERE Z_PK = 3",
      "UPDATE ZSAMPLE SET ZAINTEGER16 = 40000, ZAINTEGER32 = 'many' WHERE Z_PK = 1",
      "UPDATE ZSAMPLE SET ZADATE = 'today', ZASTRING = x'00', ZSELF = 'me' WHERE Z_PK = 2",
      "UPDATE ZSAMPLE SET ZADECIMAL = 9e999 WHERE Z_PK = 1",
      expecting: [
        "error wrong-type: Sample.aboolean: 1 row holds something other than a value of "
          + "type Boolean [Sample/p3]",
        "error wrong-type: Sample.adate: 1 row holds something other than a value of type "
          + "Date [Sample/p2]",
        "error wrong-type: Sample.adecimal: 1 row holds something other than a value of type "
          + "Decimal [Sample/p1]",
        "error wrong-type: Sample.ainteger16: 1 row holds something other than a value of "
          + "type Integer 16 [Sample/p1]",
        "error wrong-type: Sample.ainteger32: 1 row holds something other than a value of "
          + "type Integer 32 [Sample/p1]",
        "error wrong-type: Sample.astring: 1 row holds something other than a value of "
          + "type String [Sample/p2]",
        "error wrong-type: Sample.auuid: 1 row holds something other than the 16 bytes of "
          + "a UUID [Sample/p3]",
        "error wrong-type: Sample.self: 1 row holds something other than a primary key "
          + "[Sample/p2]",
        "error dangling-reference: Sample.self: 1 row leads to no existing Sample "
          + "[Sample/p2 -> Sample/p0]",
      ]),
    Case(
      .library, "UPDATE ZTAG SET Z_OPT = NULL WHERE Z_PK = 4",
      expecting: [
        "warning lock-counter: Tag: 1 row has no lock counter (Z_OPT) [Tag/p4]"
      ]),
    Case(
      .indexesAndConstraints, "DROP INDEX Z_Book_UNIQUE_isbn", "DROP INDEX Z_Author_UNIQUE_alias",
      "UPDATE ZBOOK SET ZISBN = 'same' WHERE Z_PK <> 2",
      "UPDATE ZWRITER SET ZALIAS = NULL",
      expecting: [
        "error duplicate-values: Book.isbn: 3 rows share isbn, which must be unique "
          + "[Book/p1, Book/p3: same as p1, Book/p4: same as p1]",
        "warning missing-unique-index: Book: no unique index enforces the constraint "
          + "(isbn)",
        "warning missing-unique-index: Author: no unique index enforces the constraint "
          + "(alias)",
      ]),
    Case(
      .external, "UPDATE ZPICTURE SET ZPHOTO = x'03' WHERE Z_PK = 1",
      "UPDATE ZPICTURE SET ZPHOTO = CAST(x'02' || '5A3B77F0-0000-4000-8000-000000000001' "
        + "|| x'00' AS BLOB) WHERE Z_PK = 2",
      "UPDATE ZPICTURE SET ZPHOTO = CAST(x'02' || '../../etc/passwd' || x'00' AS BLOB) "
        + "WHERE Z_PK = 3",
      expecting: [
        "error unknown-external-tag: Picture.photo: 1 row begins with neither of the "
          + "bytes 1 and 2, which say where the data is [Picture/p1]",
        "error missing-external-file: Picture.photo: 2 values are in files that are "
          + "missing from .store_SUPPORT/_EXTERNAL_DATA [Picture/p2: "
          + "5A3B77F0-0000-4000-8000-000000000001, Picture/p3: ../../etc/passwd]",
      ]),
    Case(
      .external, "UPDATE ZPICTURE SET ZPHOTO = x'' WHERE Z_PK = 1",
      expecting: [
        "error unknown-external-tag: Picture.photo: 1 row begins with neither of the "
          + "bytes 1 and 2, which say where the data is [Picture/p1]"
      ]),
  ]

  // MARK: Tables and bookkeeping

  static let tables: [Case] = [
    Case(
      .library, "DROP TABLE ZCHAPTER",
      expecting: [
        "error missing-table: ZCHAPTER: the table is missing"
      ]),
    Case(
      .library, "DROP TABLE Z_3TAGS", "DROP TABLE Z_PRIMARYKEY",
      expecting: [
        "error missing-table: Z_PRIMARYKEY: the table is missing",
        "error missing-table: Z_3TAGS or Z_6ITEMS: the table is missing",
      ]),
    Case(
      .library, "ALTER TABLE ZCHAPTER RENAME ZTITLE TO ZHEADING",
      "ALTER TABLE ZTAG DROP COLUMN ZNAME",
      expecting: [
        "error missing-column: ZCHAPTER: the column ZTITLE is missing",
        "error missing-column: ZTAG: the column ZNAME is missing",
        "note extra-column: ZCHAPTER: 1 column belongs to no property: ZHEADING",
      ]),
    Case(
      .library, "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 1",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Tag'",
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 5 WHERE Z_NAME = 'Book'",
      "INSERT INTO Z_PRIMARYKEY VALUES (9, 'Ghost', 0, 0)",
      expecting: [
        "error missing-entity-number: Chapter: the entity has no row in Z_PRIMARYKEY",
        "error wrong-superentity: Book: Z_SUPER is 5, but should be 3",
        "warning stale-maximum: Tag: Z_MAX is 1, but the highest key in ZTAG is 4; a new "
          + "object gets a key above both",
        "warning unknown-entity-number: Z_PRIMARYKEY: it has the entity 'Ghost' (9), "
          + "which the model doesn't have",
        "warning wrong-entity: ZCHAPTER: 4 rows have a Z_ENT of another table or of no "
          + "entity at all; the table holds only Chapter, so they are read as such "
          + "[ZCHAPTER/p1: Z_ENT is 1, ZCHAPTER/p2: Z_ENT is 1, ZCHAPTER/p3: "
          + "Z_ENT is 1, ZCHAPTER/p4: Z_ENT is 1]",
      ]),
    Case(
      .inheritance, "UPDATE Z_PRIMARYKEY SET Z_NAME = 'OldText' WHERE Z_NAME = 'TextMessage'",
      expecting: [
        "note old-entity-name: TextMessage: Z_PRIMARYKEY still has the old name "
          + "'OldText', as after a renaming in place"
      ]),
    Case(
      .library, "DROP TABLE Z_METADATA",
      expecting: [
        "error missing-table: Z_METADATA: the table is missing"
      ]),
    Case(
      .library, "DELETE FROM Z_METADATA",
      expecting: [
        "error metadata: the table Z_METADATA is empty"
      ]),
    Case(
      .library, "UPDATE Z_METADATA SET Z_PLIST = x'00', Z_UUID = 'me'",
      expecting: [
        "error metadata: Z_METADATA doesn't hold a property list",
        "warning store-identifier: the store's identifier isn't a UUID",
      ]),
    Case(
      .library, "UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'",
      expecting: [
        "error model-cache: The model in the store can't be read: can't expand "
          + "compressed data: it ends too early"
      ]),
    Case(
      .library,
      "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER, "
        + "ZTRANSACTIONID INTEGER)",
      "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)",
      "INSERT INTO ATRANSACTION VALUES (1)", "INSERT INTO ACHANGE VALUES (1, 3, 1), (2, 40, 2)",
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2)",
      expecting: [
        "note history-reference: ACHANGE: 1 change leads to an entity number that isn't "
          + "in Z_PRIMARYKEY [ACHANGE/p2]",
        "note history-reference: ACHANGE: 1 change leads to a transaction that isn't in "
          + "ATRANSACTION [ACHANGE/p2]",
      ]),
  ]
}
