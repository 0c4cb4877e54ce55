#!/usr/bin/env python3
"""Says whether an SQLite file is laid out as Core Data lays out its stores.

    store-format-check.py MODEL STORE...     MODEL: an .xcdatamodel folder, or its `contents` file
    store-format-check.py --cache STORE...   with the model in the store's own Z_MODELCACHE instead

It predicts from the model what the store must hold, and compares:

- the tables, their columns and the columns' types; join tables; columns for the order of ordered relationships
- the numbers of entities in Z_PRIMARYKEY, and their parents
- the metadata: keys and their types, the version hash of each entity, the digests made of the hashes
- indexes, as frameworks before and after version 847 name them
- with --strict what a new store must have and one that was migrated in place need not: the order of columns, no
  suffixes on columns of join tables, exactly the expected indexes
- with --rows each row: foreign keys and the entities that they name, rows of join tables, Z_MAX, how values are stored

The tests run it on what the engine writes. It shares no code with the engine, on purpose: a mistake would have to be
made twice. Its rules are those that 146 stores written by Apple's framework show. A rule that can't be told from the
model, as the hash of a derived attribute that is read from a cache, is passed over with a NOTE.

Other options: --no-hash leaves version hashes out, --quiet prints failing stores only, --dump prints the prediction.
It needs Python 3 and nothing else, and opens stores for reading only. ERROR lines are differences, NOTE lines are
oddities that Apple's own stores have, too. Exit status: 0 no difference, 1 differences, 2 unreadable input.
"""
import argparse
import base64
import collections
import hashlib
import os
import plistlib
import re
import shutil
import sqlite3
import struct
import sys
import tempfile
import zlib
import xml.etree.ElementTree as ET

TYPES = {'Undefined': 0, 'Integer 16': 100, 'Integer 32': 200, 'Integer 64': 300, 'Decimal': 400, 'Double': 500,
         'Float': 600, 'String': 700, 'Boolean': 800, 'Date': 900, 'Binary': 1000, 'UUID': 1100, 'URI': 1200,
         'Transformable': 1800, 'Composite': 2100}
# attribute type -> (column group in CREATE TABLE, declared type)
COLUMN = {100: (0, 'INTEGER'), 200: (0, 'INTEGER'), 300: (0, 'INTEGER'), 800: (0, 'INTEGER'), 900: (2, 'TIMESTAMP'),
          500: (2, 'FLOAT'), 600: (2, 'FLOAT'), 400: (3, 'DECIMAL'), 700: (4, 'VARCHAR'), 1200: (4, 'VARCHAR'),
          1100: (5, 'BLOB'), 1800: (6, 'BLOB'), 1000: (7, 'BLOB')}
BOOKKEEPING = {'Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE'}
HISTORY = {'ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING'}


class Prop:
    """An attribute (dest None) or a relationship."""
    def __init__(self, name, **kw):
        self.name = name
        self.type = self.dest = self.inverse = self.modifier = self.derivation = None
        self.optional = self.transient = self.indexed = self.external = self.preserve = False
        self.to_many = self.ordered = False
        self.min = self.max = 0
        self.__dict__.update(kw)


class Entity:
    def __init__(self, name, parent=None, abstract=False, modifier=None):
        self.name, self.parent, self.abstract, self.modifier = name, parent, abstract, modifier
        self.attrs, self.rels, self.fetch_indexes, self.compound, self.unique = {}, {}, [], [], []


# ---------------------------------------------------------------- models

def model_from_xml(path):
    if os.path.isdir(path):
        path = os.path.join(path, 'contents')
    root = ET.parse(path).getroot()
    yes = lambda node, key: node.get(key) == 'YES'
    model = {}
    for node in root.findall('entity'):
        e = Entity(node.get('name'), node.get('parentEntity'), yes(node, 'isAbstract'), node.get('versionHashModifier'))
        for a in node.findall('attribute'):
            e.attrs[a.get('name')] = Prop(
                a.get('name'), type=TYPES.get(a.get('attributeType', 'Undefined'), -1), optional=yes(a, 'optional'),
                transient=yes(a, 'transient'), indexed=yes(a, 'indexed'), modifier=a.get('versionHashModifier'),
                external=yes(a, 'allowsExternalBinaryDataStorage'), preserve=yes(a, 'preserveAfterDeletion'),
                derivation=a.get('derivationExpression') if yes(a, 'derived') else None)
        for r in node.findall('relationship'):
            many = yes(r, 'toMany')
            e.rels[r.get('name')] = Prop(
                r.get('name'), dest=r.get('destinationEntity'), inverse=r.get('inverseName'), to_many=many,
                ordered=yes(r, 'ordered'), optional=yes(r, 'optional'), transient=yes(r, 'transient'),
                min=int(r.get('minCount', 0)), max=int(r.get('maxCount', 0 if many else 1)),
                modifier=r.get('versionHashModifier'))
        for x in node.findall('fetchIndex'):
            e.fetch_indexes.append((x.get('name'), [(i.get('property'), i.get('order') != 'descending') for i in x]))
        e.compound = [[i.get('value') for i in c] for c in node.findall('compoundIndexes/compoundIndex')]
        e.unique = [[i.get('value') for i in c] for c in node.findall('uniquenessConstraints/uniquenessConstraint')]
        model[e.name] = e
    return model, root.get('userDefinedModelVersionIdentifier')


def unarchive(plist):
    """The root object of a keyed archive: dicts ('%class' is the class), lists, scalars; shared objects stay shared."""
    objects, done = plist['$objects'], {}

    def get(x):
        if not isinstance(x, plistlib.UID):
            return x
        i = x.data
        if i in done:
            return done[i]
        o = objects[i]
        if o == '$null':
            o = None
        elif isinstance(o, dict) and '$class' in o:
            name = objects[o['$class'].data]['$classname']
            if 'NS.string' in o:
                done[i] = o['NS.string']
            elif 'NS.keys' in o:
                done[i] = d = {}
                d.update((get(k), get(v)) for k, v in zip(o['NS.keys'], o['NS.objects']))
            elif 'NS.objects' in o:
                done[i] = items = []
                items.extend(get(v) for v in o['NS.objects'])
            else:
                done[i] = d = {'%class': name}
                d.update((k, get(v)) for k, v in o.items() if k != '$class')
            return done[i]
        done[i] = o
        return o
    return get(plist['$top']['root'])


def model_from_cache(db):
    blob = db.execute('select Z_CONTENT from Z_MODELCACHE').fetchone()[0]
    root = unarchive(plistlib.loads(zlib.decompress(blob, -15)))
    entities = root['NSEntities']
    if entities.get('%class', '').startswith('NSKnownKeysDictionary'):
        entities = dict(zip(entities['searchMapping']['keys'], entities['values']))
    model = {}
    for name, d in entities.items():
        up = d.get('NSSuperentity')
        e = Entity(name, up and up['NSEntityName'], bool(d.get('NSIsAbstract')), d.get('NSVersionHashModifier'))
        inherited = set()
        while up:
            inherited |= set(up['NSProperties'])
            up = up.get('NSSuperentity')
        for key, q in d['NSProperties'].items():
            if key in inherited or q['%class'] == '_NSPropertyDescriptionProxy':
                continue
            common = dict(optional=bool(q.get('NSIsOptional')), transient=bool(q.get('NSIsTransient')),
                          modifier=q.get('NSVersionHashModifier'))
            if 'AttributeDescription' in q['%class']:
                flags = q.get('NSFlagsKey') or 0
                derived = q['%class'] == 'NSDerivedAttributeDescription'
                e.attrs[key] = Prop(key, type=q['NSAttributeType'], indexed=bool(q.get('NSIsIndexed')),
                                    external=bool(flags & 4), preserve=bool(flags & 16),
                                    derivation='?' if derived else None, **common)
            elif q['%class'] == 'NSRelationshipDescription':
                e.rels[key] = Prop(key, dest=q['_NSDestinationEntityName'], inverse=q.get('_NSInverseRelationshipName'),
                                   to_many=q['NSMaxCount'] != 1, ordered=bool(q.get('NSIsOrdered')),
                                   min=q['NSMinCount'], max=q['NSMaxCount'], **common)
        for x in d.get('NSFetchIndexDescriptions') or []:
            elements = [(i['NSPropertyName'], i['NSAscending']) for i in x['NSIndexElements']]
            e.fetch_indexes.append((x['NSIndexName'], elements))
        e.unique = d.get('NSUniqueTuples') or []
        if not e.fetch_indexes:
            e.compound = d.get('NSCompoundIndexes') or []
        model[name] = e
    return model, (root.get('NSVersionIdentifiers') or [''])[0]


# ---------------------------------------------------------------- prediction

class Schema:
    """Entity numbers, tables, join tables and indexes that Core Data makes for a model."""

    def __init__(self, model):
        self.m = model
        self.kids = collections.defaultdict(list)
        for e in model.values():
            self.kids[e.parent].append(e.name)
        self.order = []
        self._walk(None)
        self.num = {n: i + 1 for i, n in enumerate(self.order)}
        self.tables, self.column, self.joins = {}, {}, []
        self.indexes, self.old_indexes = {}, {}    # framework 847 and later; before it
        for name in self.kids[None]:
            self._table(name)
        self._joins()
        self._indexes()

    def _walk(self, parent):
        for n in sorted(self.kids[parent], key=lambda s: (s.lower(), s)):
            self.order.append(n)
            self._walk(n)

    def root(self, n):
        while self.m[n].parent:
            n = self.m[n].parent
        return n

    def table_of(self, n):
        return 'Z' + self.root(n).upper()

    def family(self, n):
        return [n] + [x for k in self.kids[n] for x in self.family(k)]

    def inverse(self, rel):
        e = rel.dest
        while e and rel.inverse:
            if rel.inverse in self.m[e].rels:
                return e, self.m[e].rels[rel.inverse]
            e = self.m[e].parent
        return None, None

    def _table(self, root):
        cols, used = [], set()

        def unique(base):
            name, i = base, 0
            while name in used:
                i += 1
                name = f'{base}{i}'
            used.add(name)
            return name
        for n in [x for x in self.order if self.root(x) == root]:
            e = self.m[n]
            by_name = lambda d: [d[k] for k in sorted(d, key=lambda s: (s.lower(), s))]
            for a in by_name(e.attrs):
                if a.transient or a.type not in COLUMN:
                    continue
                group, sql = COLUMN[a.type]
                self.column[n, a.name] = name = unique('Z' + a.name.upper())
                cols.append((group, name, sql))
            for r in by_name(e.rels):
                if r.transient or r.to_many:
                    continue
                self.column[n, r.name] = name = unique('Z' + r.name.upper())
                cols.append((0, name, 'INTEGER'))
                if self.kids[r.dest]:
                    cols.append((0, f'Z{self.num[r.dest]}_{name[1:]}', 'INTEGER'))
                _, inv = self.inverse(r)
                if inv is not None and inv.to_many and inv.ordered:
                    cols.append((1, f'Z_FOK_{name[1:]}', 'INTEGER'))
        for e in self.m.values():                  # to-many without inverse: the key lives with the destination
            for r in e.rels.values():
                if r.to_many and not r.transient and not r.inverse and self.root(r.dest) == root:
                    cols.append((0, f'Z{self.num[e.name]}{r.name.upper()}', 'INTEGER'))
                    self.column[e.name, r.name] = cols[-1][1]
                    if r.ordered:
                        cols.append((1, f'Z_FOK_{self.num[e.name]}{r.name.upper()}', 'INTEGER'))
        fixed = [('Z_PK', 'INTEGER'), ('Z_ENT', 'INTEGER'), ('Z_OPT', 'INTEGER')]
        self.tables['Z' + root.upper()] = fixed + [c[1:] for c in sorted(cols, key=lambda c: c[0])]

    def _joins(self):
        # A join column holds the keys of entity n; its name is that of the relationship that leads to n.
        # Two relationships of one name leading to n: the second, in the order of n's own names, gets a digit.
        name_of = {}
        for n in self.order:
            used = set()
            for key in sorted(self.m[n].rels):
                r = self.m[n].rels[key]
                _, inv = self.inverse(r)
                if r.to_many and not r.transient and inv is not None and inv.to_many:
                    base, i = f'Z_{self.num[n]}{inv.name.upper()}', 0
                    name = base
                    while name in used:
                        i += 1
                        name = f'{base}{i}'
                    used.add(name)
                    name_of[n, key] = name
        seen = set()
        for n in self.order:
            for r in self.m[n].rels.values():
                other, inv = self.inverse(r)
                if not r.to_many or r.transient or inv is None or not inv.to_many:
                    continue
                key = frozenset([(n, r.name), (other, inv.name)])
                if key in seen:
                    continue
                seen.add(key)
                a, b = (n, r), (other, inv)
                if self.num[n] > self.num[other]:
                    a, b = b, a
                names = [f'Z_{self.num[a[0]]}{a[1].name.upper()}']
                if a[0] == b[0]:
                    names.append(f'Z_{self.num[b[0]]}{b[1].name.upper()}')   # Apple takes either one
                cols = [name_of[a[0], a[1].name], name_of[b[0], b[1].name]]
                fok = [f'Z_FOK_{c[2:]}' for c, rel in zip(cols, (b[1], a[1])) if rel.ordered]
                self.joins.append((names, cols, fok, a[0], b[0]))

    def _index(self, name, table, columns, unique=False, old=False):
        (self.old_indexes if old else self.indexes)[name] = (table, columns, unique)

    def _indexes(self):
        for n in self.order:
            e, table = self.m[n], self.table_of(n)
            for r in e.rels.values():
                col = self.column.get((n, r.name))
                t = self.table_of(r.dest) if r.to_many else table
                if col:
                    for old in (False, True):
                        self._index(f'{t}_{col}_INDEX', t, [col], old=old)
            if e.parent is None and self.kids[n]:
                for old in (False, True):
                    self._index(f'{table}_Z_ENT_INDEX', table, ['Z_ENT'], old=old)

            def col_of(prop):
                x = n
                while x:
                    if (x, prop) in self.column:
                        return self.column[x, prop]
                    x = self.m[x].parent
            wanted = list(e.fetch_indexes) + [('_'.join(c), [(p, True) for p in c]) for c in e.compound]
            wanted += [(a.name, [(a.name, True)]) for a in e.attrs.values() if a.indexed and not a.transient]
            for iname, elements in wanted:
                cols = [col_of(p) for p, _ in elements]
                if all(cols):
                    self._index(f'Z_{n}_{iname}', table, cols)
                    suffix = '_INDEX' if len(cols) == 1 else ''
                    self._index(f'{table}_' + '_'.join(cols) + suffix, table, cols, old=True)
            for u in e.unique:
                cols = [col_of(p) for p in u]
                if all(cols):
                    self._index(f'Z_{n}_UNIQUE_' + '_'.join(u), table, cols, True)


# ---------------------------------------------------------------- version hashes

def _sha(b):
    return hashlib.sha256(b).digest()


def entity_hash(model, name):
    """None where an input is not known well enough (a derived attribute read from a cache, a composite)."""
    def prop(p):
        flags = (1 if p.optional else 0) | (2 if p.transient else 0)
        b = _sha(p.name.encode() + struct.pack('<H', flags) + (p.modifier or '').encode())
        if p.dest is not None:
            b += p.dest.encode() + (p.inverse or '').encode() + struct.pack('<ii', p.max, p.min)
            return _sha(b + (b'\1\0' if p.ordered else b''))
        if p.derivation is not None:
            return _sha(p.derivation.encode())
        return _sha(b + struct.pack('<i', p.type) + b'\1' * (p.external + p.preserve))
    e = model[name]
    data = name.encode() + bytes([e.abstract])
    if e.parent:
        up = entity_hash(model, e.parent)
        if up is None:
            return None
        data += up
    props, x = {}, e
    while x:
        for p in list(x.attrs.values()) + list(x.rels.values()):
            if not p.transient:
                props.setdefault(p.name, p)
        x = model.get(x.parent)
    if any(p.derivation == '?' or p.type in (-1, 2100) for p in props.values()):
        return None
    data += b''.join(prop(props[k]) for k in sorted(props))
    data += ''.join(sorted('.'.join(u) for u in e.unique)).encode() + (e.modifier or '').encode()
    return _sha(data)


# ---------------------------------------------------------------- reading the store

def open_store(path):
    """A read-only connection that leaves no -wal/-shm behind: copied if a WAL with content lies beside the store."""
    wal = path + '-wal'
    if os.path.exists(wal) and os.path.getsize(wal):
        folder = tempfile.mkdtemp()
        copy = os.path.join(folder, 'store')
        shutil.copyfile(path, copy)
        shutil.copyfile(wal, copy + '-wal')
        return sqlite3.connect(copy), folder
    quoted = path.replace('%', '%25').replace('?', '%3f').replace('#', '%23')
    return sqlite3.connect(f'file:{quoted}?mode=ro&immutable=1', uri=True), None


def columns_of(sql):
    body = sql[sql.index('(') + 1:sql.rindex(')')]
    body = re.sub(r'(PRIMARY KEY|CONSTRAINT \w+ UNIQUE) \([^)]*\)', '', body)
    return [tuple(p.split()[:2]) for p in body.split(',') if p.strip()]


class Check:
    def __init__(self, model, identifier, db, options):
        self.s, self.model, self.identifier, self.db, self.o = Schema(model), model, identifier, db, options
        self.errors, self.notes, self.framework = [], [], 9999

    def run(self):
        self.sql = {n: s for n, s in self.db.execute("select name, sql from sqlite_master where type = 'table'")}
        missing = {'Z_PRIMARYKEY', 'Z_METADATA'} - set(self.sql)
        if missing:
            self.errors.append(f'not a Core Data store: no {", ".join(sorted(missing))}')
            return
        if 'Z_MODELCACHE' not in self.sql:
            (self.errors if self.o.strict else self.notes).append('no Z_MODELCACHE table (frameworks before about 600)')
        self.metadata()
        self.entities()
        self.check_tables()
        self.check_joins()
        self.check_indexes()
        if self.o.rows and not self.errors:
            self.check_rows()

    def metadata(self):
        rows = self.db.execute('select Z_VERSION, Z_UUID, Z_PLIST from Z_METADATA').fetchall()
        if len(rows) != 1 or rows[0][0] != 1:
            self.errors.append(f'Z_METADATA: expected one row with Z_VERSION 1, got {[r[0] for r in rows]}')
        if not rows:
            return
        if not re.fullmatch(r'[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}', rows[0][1] or ''):
            self.errors.append(f'Z_UUID is not an upper-case UUID: {rows[0][1]!r}')
        meta = plistlib.loads(rows[0][2])
        self.framework = meta.get('NSPersistenceFrameworkVersion', 0)
        if rows[0][2][:6] != b'bplist':
            self.notes.append('Z_PLIST is not a binary property list')
        for key, kind in (('NSStoreType', str), ('NSStoreModelVersionHashes', dict),
                          ('NSStoreModelVersionHashesVersion', int), ('NSPersistenceFrameworkVersion', int),
                          ('NSStoreModelVersionIdentifiers', list), ('_NSAutoVacuumLevel', str)):
            if not isinstance(meta.get(key), kind):
                self.errors.append(f'metadata {key}: missing or not a {kind.__name__}')
        stored = meta.get('NSStoreModelVersionHashes', {})
        if set(stored) != set(self.model):
            self.errors.append(f'version hashes name other entities: {sorted(set(stored) ^ set(self.model))}')
        if self.o.no_hash:
            return
        for n in sorted(set(stored) & set(self.model)):
            mine = entity_hash(self.model, n)
            if mine is None:
                self.notes.append(f'version hash of {n} not computed (derived or composite attribute)')
            elif mine != stored[n]:
                self.errors.append(f'version hash of {n} differs')
        names = sorted(stored)                    # code-point order, not case-insensitive
        named = b''.join(n.encode() + stored[n] for n in names)
        bare = b''.join(stored[n] for n in names)
        for key, h in (('NSStoreModelVersionHashesDigest', hashlib.sha512(named)),
                       ('NSStoreModelVersionChecksumKey', hashlib.sha256(bare))):
            if key in meta and meta[key] != base64.b64encode(h.digest()).decode():
                self.errors.append(f'{key} does not fit the version hashes')
        identifiers = meta.get('NSStoreModelVersionIdentifiers', [])
        if self.identifier and self.identifier not in identifiers:
            self.notes.append(f'store says version {identifiers}, model says {self.identifier!r}')

    def entities(self):
        rows = self.db.execute('select Z_ENT, Z_NAME, Z_SUPER, Z_MAX from Z_PRIMARYKEY order by Z_ENT').fetchall()
        actual = {r[0]: r for r in rows if r[0] < 16000}
        for n in self.s.order:
            i, parent = self.s.num[n], self.model[n].parent
            row = actual.pop(i, None)
            if row is None:
                self.errors.append(f'Z_PRIMARYKEY: no row {i} for {n}')
                continue
            if row[1] != n:
                known = row[1] in self.model
                renamed = ' (sub-entity renamed in place)' if parent and not known else ''
                (self.errors if known or not parent or self.o.strict else self.notes).append(
                    f'Z_PRIMARYKEY {i}: expected {n}, got {row[1]}{renamed}')
            if row[2] != (self.s.num[parent] if parent else 0):
                self.errors.append(f'Z_PRIMARYKEY {i} {n}: Z_SUPER {row[2]}')
            if parent and row[3]:
                self.errors.append(f'Z_PRIMARYKEY {i} {n}: Z_MAX of a sub-entity must be 0')
        for row in actual.values():
            self.errors.append(f'Z_PRIMARYKEY: unexpected row {row}')

    def check_tables(self):
        expected = set(self.s.tables) | BOOKKEEPING | HISTORY
        for t, want in self.s.tables.items():
            if t not in self.sql:
                self.errors.append(f'table {t} is missing')
                continue
            have = columns_of(self.sql[t])
            if set(have) != set(want):
                surplus, missing = sorted(set(have) - set(want)), sorted(set(want) - set(have))
                self.errors.append(f'table {t}: unexpected {surplus}, missing {missing}')
            elif self.o.strict:
                order = lambda cols: [c for c in cols if not c[0].startswith('Z_FOK_')]
                if order(have) != order(want):
                    names = [[c[0] for c in cols] for cols in (have, want)]
                    self.errors.append(f'table {t}: column order {names[0]}, expected {names[1]}')
        for names, *_ in self.s.joins:
            expected |= set(names)
        for t in sorted(set(self.sql) - expected):
            if not t.startswith('sqlite_'):
                self.errors.append(f'table {t} is unexpected')

    def check_joins(self):
        self.join_columns = []
        for names, cols, fok, a, b in self.s.joins:
            found = [n for n in names if n in self.sql]
            if len(found) != 1:
                self.errors.append(f'join table {" or ".join(names)}: found {found}')
                continue
            if found[0] != names[0]:
                cols, fok, a, b = cols[::-1], fok[::-1], b, a
            have = [c[0] for c in columns_of(self.sql[found[0]])]
            suffix = '' if self.o.strict else r'\d*'
            real = {}
            for c in cols + fok:
                hit = [h for h in have if re.fullmatch(re.escape(c) + suffix, h)]
                if len(hit) == 1:
                    real[c] = hit[0]
                    if hit[0] != c:
                        self.notes.append(f'join table {found[0]}: column {hit[0]} for {c}')
            if len(real) != len(cols + fok) or len(have) != len(real):
                self.errors.append(f'join table {found[0]}: columns {have}, expected {cols + fok}')
            else:
                self.join_columns.append((found[0], [real[c] for c in cols], a, b))

    def check_indexes(self):
        query = "select name, sql from sqlite_master where type = 'index' and sql is not null"
        have = dict(self.db.execute(query))
        wanted = set()
        for n, (table, cols, unique) in (self.s.indexes if self.framework >= 847 else self.s.old_indexes).items():
            wanted.add(n)
            if n not in have:
                (self.errors if self.o.strict else self.notes).append(f'index {n} is missing')
                continue
            got = re.match(r'CREATE (UNIQUE )?INDEX "?\w+"? ON "?(\w+)"? \((.*)\)$', have[n])
            got_cols = [c.split()[0] for c in got[3].split(', ')]
            if got[2] != table or got_cols != cols or bool(got[1]) != unique:
                self.errors.append(f'index {n}: {have[n]}')
        if self.o.strict:
            for t, cols, *_ in self.join_columns:
                wanted.add(f'{t}_{cols[1]}_INDEX')
                if f'{t}_{cols[1]}_INDEX' not in have:
                    self.errors.append(f'index {t}_{cols[1]}_INDEX is missing')
            for n in sorted(set(have) - wanted):
                if not re.match(r'A(CHANGE|TRANSACTION)|Z_TRANSACTION', n):
                    self.errors.append(f'index {n} is unexpected')

    def check_rows(self):
        one = lambda q: self.db.execute(q).fetchone()[0]
        nums = lambda n: ','.join(str(self.s.num[x]) for x in self.s.family(n))
        for n in self.s.order:
            e, t = self.model[n], self.s.table_of(n)
            if e.parent is None:
                top = one(f'select coalesce(max(Z_PK), 0) from {t}')
                zmax = one(f'select Z_MAX from Z_PRIMARYKEY where Z_ENT = {self.s.num[n]}')
                if zmax < top:
                    self.errors.append(f'{n}: Z_MAX {zmax} is below the highest Z_PK {top}')
                if one(f'select count(*) from {t} where Z_ENT not in ({nums(n)}) or Z_OPT is null or Z_OPT < 1'):
                    self.errors.append(f'{t}: rows with a foreign Z_ENT or a bad Z_OPT')
            for a in e.attrs.values():
                col = self.s.column.get((n, a.name))
                allowed = {'INTEGER': 'integer', 'FLOAT': 'real', 'TIMESTAMP': 'real,integer',
                           'DECIMAL': 'real,integer', 'VARCHAR': 'text', 'BLOB': 'blob'}
                if col:
                    query = f'select distinct typeof({col}) from {t} where {col} is not null'
                    kinds = {k for k, in self.db.execute(query)}
                    bad = kinds - set(allowed[COLUMN[a.type][1]].split(','))
                    if bad:
                        self.errors.append(f'{t}.{col}: values stored as {sorted(bad)}')
                    if a.type == 1100 and one(f'select count(*) from {t} where length({col}) != 16'):
                        self.errors.append(f'{t}.{col}: a UUID must be 16 bytes')
                    if a.external and one(f"select count(*) from {t} where substr({col}, 1, 1) not in (x'01', x'02')"):
                        self.errors.append(f'{t}.{col}: external-storage data must start with byte 1 or 2')
            for r in e.rels.values():
                col = self.s.column.get((n, r.name))
                if not col or r.to_many:
                    continue
                d = self.s.table_of(r.dest)
                lost = one(f'select count(*) from {t} a left join {d} b on b.Z_PK = a.{col} '
                           f'where a.Z_ENT in ({nums(n)}) and a.{col} is not null '
                           f'and (b.Z_PK is null or b.Z_ENT not in ({nums(r.dest)}))')
                if lost:
                    self.notes.append(f'{t}.{col}: {lost} rows point nowhere or at another entity')
                if self.s.kids[r.dest]:
                    ecol = f'Z{self.s.num[r.dest]}_{col[1:]}'
                    if one(f'select count(*) from {t} a join {d} b on b.Z_PK = a.{col} where a.Z_ENT in ({nums(n)}) '
                           f'and a.{ecol} is not b.Z_ENT'):
                        self.errors.append(f'{t}.{ecol} is not the Z_ENT of its destination')
        for t, (ca, cb), a, b in self.join_columns:
            for col, n in ((ca, a), (cb, b)):
                lost = one(f'select count(*) from {t} where {col} not in (select Z_PK from {self.s.table_of(n)} '
                           f'where Z_ENT in ({nums(n)}))')
                if lost:
                    self.notes.append(f'{t}.{col}: {lost} rows without a {n}')


def check(model_path, store_path, options):
    db, folder = open_store(store_path)
    try:
        model, identifier = model_from_xml(model_path) if model_path else model_from_cache(db)
        c = Check(model, identifier, db, options)
        if options.dump:
            for t, cols in c.s.tables.items():
                print(t, ', '.join(' '.join(x) for x in cols))
            for names, cols, fok, *_ in c.s.joins:
                print(' or '.join(names), ', '.join(cols + fok))
            for n, x in sorted(c.s.indexes.items()):
                print('index', n, *x)
        c.run()
        return c.errors, c.notes
    finally:
        db.close()
        if folder:
            shutil.rmtree(folder)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('paths', nargs='*')
    for flag in ('--cache', '--strict', '--rows', '--no-hash', '--dump', '--quiet'):
        p.add_argument(flag, action='store_true')
    o = p.parse_args()
    if o.cache:
        work = [(None, s) for s in o.paths]
    else:
        work = [(o.paths[0], s) for s in o.paths[1:]]
    if not work:
        p.print_usage()
        return 2
    passed, status = 0, 0
    for model, store in work:
        try:
            errors, notes = check(model, store, o)
        except (OSError, KeyError, ValueError, ET.ParseError, sqlite3.Error, zlib.error) as x:
            print(f'UNREADABLE {store}: {type(x).__name__} {x}')
            status = 2
            continue
        passed += not errors
        status = status or (1 if errors else 0)
        if not o.quiet or errors:
            print(f'{"FAIL" if errors else "ok"}  {os.path.basename(store)}')
        for e in errors:
            print(f'    ERROR {e}')
        if not o.quiet:
            for n in notes:
                print(f'    NOTE  {n}')
    print(f'{passed} of {len(work)} stores pass')
    return status


if __name__ == '__main__':
    sys.exit(main())
