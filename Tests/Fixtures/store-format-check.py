#!/usr/bin/env python3
"""Says whether an SQLite file is laid out as Core Data lays out its stores.

    store-format-check.py MODEL STORE...     MODEL: an .xcdatamodel folder, its `contents` file, or a .mom
    store-format-check.py --cache STORE...   with the model in the store's own Z_MODELCACHE instead

It predicts from the model what the store must hold, and compares:

- the tables, their columns and the columns' types; join tables; columns for the order of ordered relationships
- the numbers of entities in Z_PRIMARYKEY, and their parents
- the metadata: keys and their types, the version hash of each entity, the digests made of the hashes
- indexes, as frameworks before and after version 836 name them; R-trees and their triggers
- with --strict what a new store must have and one that was migrated in place need not: the order of columns, no
  suffixes on columns of join tables, exactly the expected indexes
- with --rows each row: foreign keys and the entities that they name, rows of join tables, Z_MAX, how values are stored

The tests run it on what the engine writes. It shares no code with the engine, on purpose: a mistake would have to be
made twice. Its rules are those that 437 stores written by Apple's framework show. A rule that can't be told from the
model, as the hash of a derived attribute that is read from a cache, is passed over with a NOTE.

Other options: --pairs FILE has lines of model, tab and store; --no-hash leaves version hashes out, --quiet prints
failing stores only, --dump prints the prediction. It needs Python 3 and nothing else, and opens stores for reading only. ERROR lines are differences, NOTE lines are
oddities that Apple's own stores have, too. Exit status: 0 no difference, 1 differences, 2 unreadable input.
"""
import argparse, base64, collections, hashlib, os, plistlib, re, shutil, sqlite3, struct, sys, tempfile, zlib
import xml.etree.ElementTree as ET

TYPES = {'Undefined': 0, 'Integer 16': 100, 'Integer 32': 200, 'Integer 64': 300, 'Decimal': 400, 'Double': 500,
         'Float': 600, 'String': 700, 'Boolean': 800, 'Date': 900, 'Binary': 1000, 'UUID': 1100, 'URI': 1200,
         'Transformable': 1800, 'Composite': 2100}
OPERATORS = ('<', '<=', '>', '>=', '=', '<>')     # NSPredicateOperatorType 0 to 5, as SQL
# attribute type -> (column group in CREATE TABLE, declared type)
COLUMN = {100: (0, 'INTEGER'), 200: (0, 'INTEGER'), 300: (0, 'INTEGER'), 800: (0, 'INTEGER'), 900: (2, 'TIMESTAMP'),
          500: (2, 'FLOAT'), 600: (2, 'FLOAT'), 400: (3, 'DECIMAL'), 700: (4, 'VARCHAR'), 1200: (5, 'VARCHAR'),
          1100: (6, 'BLOB'), 1800: (7, 'BLOB'), 1000: (8, 'BLOB')}
COMPOSITE = 2100
BOOKKEEPING = {'Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE'}
HISTORY = {'ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING'}


class Prop:
    """An attribute (dest None) or a relationship."""
    def __init__(self, name, **kw):
        self.name = name
        self.type = self.dest = self.inverse = self.modifier = self.derivation = None
        self.optional = self.transient = self.indexed = self.external = self.preserve = False
        self.to_many = self.ordered = self.own_inverse = False
        self.elements = []                         # of a composite
        self.min = self.max = 0
        self.__dict__.update(kw)


class Entity:
    def __init__(self, name, parent=None, abstract=False, modifier=None):
        self.name, self.parent, self.abstract, self.modifier = name, parent, abstract, modifier
        self.attrs, self.rels, self.compound, self.unique = {}, {}, [], []
        self.fetch_indexes = []    # (name, elements, WHERE, is R-tree); element: property, or '=self' / '=entity' / '=?' for an expression


def finish(model):
    for e in model.values():
        for r in e.rels.values():
            r.own_inverse = r.dest == e.name and r.inverse == r.name
    return model


def where_from_text(text):
    """A partial index's predicate, one comparison, as (attribute, operator, SQL constant); else True: there is one."""
    m = re.fullmatch(r'\s*(\w+)\s*(==|=|!=|<>|<=|>=|<|>)\s*(nil|NULL|-?\d+)\s*', text or '')
    if not m:
        return bool(text and text.strip())
    op = {'==': '=', '!=': '<>'}.get(m[2], m[2])
    return m[1], op, 'NULL' if m[3] in ('nil', 'NULL') else m[3]


def derivation_from_text(text):
    """The hash wants the compiled expression: `x.@count` is `count:(x)`. None: spelling not known (other collection operators)."""
    m = re.fullmatch(r'(.+)\.@count', text)
    return f'count:({m[1]})' if m else None if '@' in text else text


# ---------------------------------------------------------------- models

def model_from_file(path):
    if path.endswith('.mom'):
        with open(path, 'rb') as f:
            return model_from_archive(plistlib.load(f))
    if os.path.isdir(path):
        path = os.path.join(path, 'contents')
    root = ET.parse(path).getroot()
    yes = lambda node, key: node.get(key) == 'YES'
    model = {}
    composites = {c.get('name'): c.findall('attribute') for c in root.findall('composite')}

    def attribute(a):
        return Prop(
            a.get('name'), type=TYPES.get(a.get('attributeType', 'Undefined'), -1), optional=yes(a, 'optional'),
            transient=yes(a, 'transient'), indexed=yes(a, 'indexed'), modifier=a.get('versionHashModifier'),
            external=yes(a, 'allowsExternalBinaryDataStorage'), preserve=yes(a, 'preserveAfterDeletion'),
            derivation=(derivation_from_text(a.get('derivationExpression') or '') or '?') if yes(a, 'derived') else None,
            elements=[attribute(x) for x in composites.get(a.get('composite'), ())])
    for node in root.findall('entity'):
        e = Entity(node.get('name'), node.get('parentEntity'), yes(node, 'isAbstract'), node.get('versionHashModifier'))
        e.attrs = {a.get('name'): attribute(a) for a in node.findall('attribute')}
        for r in node.findall('relationship'):
            many = yes(r, 'toMany')
            e.rels[r.get('name')] = Prop(
                r.get('name'), dest=r.get('destinationEntity'), inverse=r.get('inverseName'), to_many=many,
                ordered=yes(r, 'ordered'), optional=yes(r, 'optional'), transient=yes(r, 'transient'),
                min=int(r.get('minCount', 0)), max=int(r.get('maxCount', 0 if many else 1)),
                modifier=r.get('versionHashModifier'))
        for x in node.findall('fetchIndex'):
            elements = [i.get('property') or {'self': '=self', 'entity': '=entity'}.get((i.get('expression') or '').lower(), '=?') for i in x]
            e.fetch_indexes.append((x.get('name'), elements, where_from_text(x.get('partialIndexPredicate')),
                                    bool(len(x)) and all(i.get('type') == 'RTree' for i in x)))
        e.compound = [[i.get('value') for i in c] for c in node.findall('compoundIndexes/compoundIndex')]
        e.unique = [[i.get('value') for i in c] for c in node.findall('uniquenessConstraints/uniquenessConstraint')]
        model[e.name] = e
    return finish(model), root.get('userDefinedModelVersionIdentifier')


def unarchive(plist):
    """NSKeyedArchiver plist -> plain dicts ('%class' holds the class name), lists, scalars; shared objects stay shared."""
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


def expression_text(x):
    """An archived expression as a version hash has it: `a.b`, `count:(pages)`, `now()`."""
    kind = x.get('%class')
    if kind == 'NSKeyPathExpression':
        return x['NSArguments'][0]['NSKeyPath']
    if kind == 'NSFunctionExpression':
        return x['NSSelectorName'] + '(' + ', '.join(map(expression_text, x.get('NSArguments') or [])) + ')'
    return '=self' if kind == 'NSSelfExpression' else '?'


def where_from_archive(x):
    """As where_from_text; a conjunction is a list."""
    if not x:
        return False
    if x.get('%class') == 'NSCompoundPredicate' and x.get('NSCompoundPredicateType') == 1:
        parts = [where_from_archive(p) for p in x['NSSubpredicates']]
        return parts if all(isinstance(p, tuple) for p in parts) else True
    if x.get('%class') != 'NSComparisonPredicate':
        return True
    op, right = x['NSPredicateOperator'].get('NSOperatorType'), x['NSRightExpression']
    value = right.get('NSConstantValue')
    if right['%class'] != 'NSConstantValueExpression' or op not in range(6) or not (value is None or isinstance(value, int)):
        return True
    return expression_text(x['NSLeftExpression']), OPERATORS[op], 'NULL' if value is None else str(int(value))


def model_from_cache(db):
    row = db.execute('select Z_CONTENT from Z_MODELCACHE').fetchone()
    if not row or row[0] is None:
        raise ValueError('the model cache is empty')
    return model_from_archive(plistlib.loads(zlib.decompress(row[0], -15)))


def model_from_archive(plist):
    root = unarchive(plist)
    entities = root['NSEntities']
    if entities.get('%class', '').startswith('NSKnownKeysDictionary'):
        entities = dict(zip(entities['searchMapping']['keys'], entities['values']))
    model = {}

    def element(c):
        flags = c.get('NSFlagsKey') or 0
        return Prop(c['NSPropertyName'], type=c['NSAttributeType'], optional=bool(c.get('NSIsOptional')),
                    modifier=c.get('NSVersionHashModifier'), external=bool(flags & 4), preserve=bool(flags & 16),
                    elements=[element(x) for x in c.get('NSCompositeElements') or []])

    def indexed(i):
        of = i.get('NSIndexedProperty') or {}
        if of.get('%class') != 'NSExpressionDescription':
            return i['NSPropertyName']
        return {'=self': '=self', 'entity': '=entity'}.get(expression_text(of['NSExpression']), '=?')
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
                                    derivation=expression_text(q.get('NSDerivationExpression') or {}) if derived else None,
                                    elements=[element(c) for c in q.get('NSCompositeElements') or []], **common)
            elif q['%class'] == 'NSRelationshipDescription':
                e.rels[key] = Prop(key, dest=q['_NSDestinationEntityName'], inverse=q.get('_NSInverseRelationshipName'),
                                   to_many=q['NSMaxCount'] != 1, ordered=bool(q.get('NSIsOrdered')),
                                   min=q['NSMinCount'], max=q['NSMaxCount'], **common)
        for x in d.get('NSFetchIndexDescriptions') or []:
            e.fetch_indexes.append((x['NSIndexName'], [indexed(i) for i in x['NSIndexElements']],
                                    where_from_archive(x.get('NSPartialIndexPredicate')),
                                    any(i.get('NSFetchIndexElementType') == 1 for i in x['NSIndexElements'])))
        e.unique = d.get('NSUniqueTuples') or []
        e.compound = d.get('NSCompoundIndexes') or []
        model[name] = e
    if any(e.fetch_indexes for e in model.values()):   # since framework 836 the older forms are turned into these
        for e in model.values():
            e.compound = []
            for a in e.attrs.values():
                a.indexed = False
    return finish(model), (root.get('NSVersionIdentifiers') or [''])[0]


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
        self.tables, self.column, self.joins, self.rtrees = {}, {}, [], {}
        self.indexes, self.old_indexes = {}, {}    # since framework 836 at the latest; up to 754
        for name in self.kids[None]:
            self._table(name)
        self._joins()
        self._indexes()

    def _walk(self, parent):
        for n in sorted(self.kids[parent], key=lambda s: (s.lower(), s)):
            self.order.append(n)
            self._walk(n)

    def visits(self):
        """All entities in one flat order of names, each after its superentity: the order in which join tables are named."""
        out = []

        def visit(n):
            if n not in out:
                if self.m[n].parent:
                    visit(self.m[n].parent)
                out.append(n)
        for n in sorted(self.m):
            visit(n)
        return out

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

    def leaves(self, a, key):
        """(attribute with a column, key of it): the attribute itself, or a composite's elements."""
        if a.transient:
            return []
        if a.type == COMPOSITE:
            return [x for e in a.elements for x in self.leaves(e, key + (e.name,))]
        return [(a, key)] if a.type in COLUMN else []

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
            by_name = lambda d: [d[k] for k in sorted(d)]           # by code points
            for a in by_name(e.attrs):
                for leaf, key in self.leaves(a, (n, a.name)):
                    group, sql = COLUMN[leaf.type]
                    self.column[key] = name = unique('Z' + leaf.name.upper())
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
        for e in (self.m[n] for n in self.order):  # to-many without inverse: the key lives with the destination
            for r in by_name(e.rels):
                if r.to_many and not r.transient and not r.inverse and self.root(r.dest) == root:
                    cols.append((0, f'Z{self.num[e.name]}{r.name.upper()}', 'INTEGER'))
                    self.column[e.name, r.name] = cols[-1][1]
                    if r.ordered:
                        cols.append((1, f'Z_FOK_{self.num[e.name]}{r.name.upper()}', 'INTEGER'))
        fixed = [('Z_PK', 'INTEGER'), ('Z_ENT', 'INTEGER'), ('Z_OPT', 'INTEGER')]
        self.tables['Z' + root.upper()] = fixed + [c[1:] for c in sorted(cols, key=lambda c: c[0])]

    def _joins(self):
        # A join column holds the keys of entity n; its name is that of the relationship that leads to n.
        # The side that is visited first owns the table; column names are claimed in the same order, a later claimant gets a digit.
        used, seen = {}, set()

        def unique(base):
            name, i = base, 0
            while name in used:
                i += 1
                name = f'{base}{i}'
            used[name] = base
            return name
        self.undigited = lambda column: used.get(column, column)
        for n in self.visits():
            for key in sorted(self.m[n].rels):
                r = self.m[n].rels[key]
                other, inv = self.inverse(r)
                pair = frozenset([(n, r.name), (other, inv and inv.name)])
                if not r.to_many or r.transient or inv is None or not inv.to_many or pair in seen:
                    continue
                seen.add(pair)
                names = [f'Z_{self.num[n]}{r.name.upper()}']
                if r is inv:                                # its own inverse
                    self.joins.append((names, [names[0], 'REFLEXIVE'], [], n, n))
                    continue
                if other == n:
                    names.append(f'Z_{self.num[n]}{inv.name.upper()}')   # Apple takes either one
                cols = [unique(f'Z_{self.num[n]}{inv.name.upper()}'), unique(f'Z_{self.num[other]}{r.name.upper()}')]
                fok = [f'Z_FOK_{c[2:]}' for c, rel in zip(cols, (inv, r)) if rel.ordered]
                self.joins.append((names, cols, fok, n, other))

    def _index(self, name, table, columns, unique=False, old=False, where=False):
        (self.old_indexes if old else self.indexes)[name] = (table, columns, unique, where)

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

            up = [n]
            while self.m[up[-1]].parent:
                up.append(self.m[up[-1]].parent)
            relationship = lambda p: next((self.m[x].rels[p] for x in up if p in self.m[x].rels), None)

            def col_of(prop):
                if prop in ('=self', '=entity'):
                    return 'Z_PK' if prop == '=self' else 'Z_ENT'
                r = relationship(prop)
                return None if r and r.to_many else next((self.column[x, prop] for x in up if (x, prop) in self.column), None)

            def condition(w):
                if isinstance(w, list):
                    parts = [condition(p) for p in w]
                    return '(' + ' AND '.join(parts) + ')' if all(isinstance(p, str) for p in parts) else True
                if not isinstance(w, tuple) or not col_of(w[0]):
                    return bool(w)
                null = {'=': 'IS NULL', '<>': 'IS NOT NULL'}.get(w[1]) if w[2] == 'NULL' else None
                return f'{col_of(w[0])} {null or w[1] + " " + w[2]}'
            wanted = list(e.fetch_indexes) + [('_'.join(c), c, False, False) for c in e.compound]
            wanted += [(a.name, [a.name], False, False) for a in e.attrs.values() if a.indexed and not a.transient]
            for iname, elements, where, rtree in wanted:
                cols = [col_of(p) for p in elements]
                if not all(cols) or len(cols) == 1 and relationship(elements[0]):
                    continue                       # one element, a relationship: the key's own index serves
                if rtree:
                    self.rtrees[f'Z_RT_{n}_{iname}'] = (table, cols)
                    continue
                self._index(f'Z_{n}_{iname}', table, cols, where=condition(where))
                suffix = '_INDEX' if len(cols) == 1 else ''
                self._index(f'{table}_' + '_'.join(cols) + suffix, table, cols, old=True)
            for u in e.unique:
                cols = [col_of(p) for p in u]
                if all(cols):
                    self._index(f'Z_{n}_UNIQUE_' + '_'.join(u), table, cols, True)


def rtree_sql(name, table, cols):
    """The virtual table and the triggers of an R-tree index."""
    both = [f'{c}_{x}' for c in cols for x in ('MIN', 'MAX')]
    fields = f'{name} (Z_PK, {", ".join(both)}) VALUES (NEW.Z_PK, {", ".join(f"NEW.{c}, NEW.{c}" for c in cols)})'
    on = lambda event, body: f'CREATE TRIGGER {name}_{event} AFTER {event} ON {table} FOR EACH ROW BEGIN {body} ; END'
    return {name: f'CREATE VIRTUAL TABLE {name} USING RTREE (Z_PK INTEGER PRIMARY KEY, {", ".join(b + " FLOAT" for b in both)})',
            f'{name}_INSERT': on('INSERT', f'INSERT OR REPLACE INTO {fields}'),
            f'{name}_UPDATE': on('UPDATE', f'DELETE FROM {name} WHERE Z_PK = NEW.Z_PK ; INSERT INTO {fields}'),
            f'{name}_DELETE': on('DELETE', f'DELETE FROM {name} WHERE Z_PK = OLD.Z_PK')}


# ---------------------------------------------------------------- version hashes

def _sha(b):
    return hashlib.sha256(b).digest()


def property_hash(p):
    """None where the text of a derivation is not known."""
    if p.type == COMPOSITE:
        parts = [property_hash(e) for e in sorted(p.elements, key=lambda e: e.name)]
        return None if None in parts or not parts else _sha(b''.join(parts))
    if p.derivation is not None:
        return None if '?' in p.derivation else _sha(p.derivation.encode())
    flags = (1 if p.optional else 0) | (2 if p.transient else 0)
    b = _sha(p.name.encode() + struct.pack('<H', flags) + (p.modifier or '').encode())
    if p.dest is not None:
        inverse = '' if p.own_inverse else p.inverse or ''
        b += p.dest.encode() + inverse.encode() + struct.pack('<ii', p.max, p.min)
        return _sha(b + (b'\1\0' if p.ordered else b''))
    return None if p.type == -1 else _sha(b + struct.pack('<i', p.type) + b'\1' * (p.external + p.preserve))


def entity_hash(model, name):
    """None where an input is not known well enough."""
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
    parts = [property_hash(props[k]) for k in sorted(props)]
    if None in parts:
        return None
    return _sha(data + b''.join(parts) + (e.modifier or '').encode() + ''.join(sorted('.'.join(u) for u in e.unique)).encode())


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
    def __init__(self, model, identifier, db, options, from_xml=True):
        self.s, self.model, self.identifier, self.db, self.o = Schema(model), model, identifier, db, options
        self.from_xml, self.ancillary = from_xml, set()
        self.errors, self.notes, self.framework = [], [], 9999

    def run(self):
        self.sql = {n: s for n, s in self.db.execute("select name, sql from sqlite_master where type = 'table'")}
        self.triggers = {n: s for n, s in self.db.execute("select name, sql from sqlite_master where type = 'trigger'")}
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
        self.check_rtrees()
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
        if not isinstance(meta, dict):
            self.errors.append('Z_PLIST is not a dictionary')
            return
        self.framework = meta.get('NSPersistenceFrameworkVersion', 0)
        if rows[0][2][:6] != b'bplist':
            self.notes.append('Z_PLIST is not a binary property list')
        for key, kind in (('NSStoreType', str), ('NSStoreModelVersionHashes', dict), ('NSStoreModelVersionHashesVersion', int),
                          ('NSPersistenceFrameworkVersion', int), ('NSStoreModelVersionIdentifiers', list),
                          ('_NSAutoVacuumLevel', str)):
            if not isinstance(meta.get(key), kind):
                old = key == '_NSAutoVacuumLevel' and key not in meta and self.framework < 251      # seen absent at 248
                (self.notes if old else self.errors).append(f'metadata {key}: missing or not a {kind.__name__}')
        stored = meta.get('NSStoreModelVersionHashes', {})
        if set(stored) != set(self.model):
            self.errors.append(f'version hashes name other entities: {sorted(set(stored) ^ set(self.model))}')
        if self.o.no_hash:
            return
        for n in sorted(set(stored) & set(self.model)):
            mine = entity_hash(self.model, n)
            if mine is None:
                self.notes.append(f'version hash of {n} not computed (a derivation or a type that no vector settles)')
            elif mine != stored[n]:
                self.errors.append(f'version hash of {n} differs')
        names = sorted(stored)                    # code-point order, not case-insensitive
        for key, h in (('NSStoreModelVersionHashesDigest', hashlib.sha512(b''.join(n.encode() + stored[n] for n in names))),
                       ('NSStoreModelVersionChecksumKey', hashlib.sha256(b''.join(stored[n] for n in names)))):
            if key in meta and meta[key] != base64.b64encode(h.digest()).decode():
                self.errors.append(f'{key} does not fit the version hashes')
        if self.identifier and self.identifier not in meta.get('NSStoreModelVersionIdentifiers', []):
            self.notes.append(f'store says version {meta.get("NSStoreModelVersionIdentifiers")}, model says {self.identifier!r}')

    def entities(self):
        rows = self.db.execute('select Z_ENT, Z_NAME, Z_SUPER, Z_MAX from Z_PRIMARYKEY order by Z_ENT').fetchall()
        actual = {r[0]: r for r in rows if r[0] < 16000}
        self.ancillary = {'A' + r[1].upper() for r in rows if r[0] >= 16000}     # history, CloudKit mirroring
        for n in self.s.order:
            i, parent = self.s.num[n], self.model[n].parent
            row = actual.pop(i, None)
            if row is None:
                self.errors.append(f'Z_PRIMARYKEY: no row {i} for {n}')
                continue
            if row[1] != n:
                known = row[1] in self.model
                (self.errors if known or not parent or self.o.strict else self.notes).append(
                    f'Z_PRIMARYKEY {i}: expected {n}, got {row[1]}' + (' (sub-entity renamed in place)' if parent and not known else ''))
            if row[2] != (self.s.num[parent] if parent else 0):
                self.errors.append(f'Z_PRIMARYKEY {i} {n}: Z_SUPER {row[2]}')
            if parent and row[3]:
                self.errors.append(f'Z_PRIMARYKEY {i} {n}: Z_MAX of a sub-entity must be 0')
        for row in actual.values():
            self.errors.append(f'Z_PRIMARYKEY: unexpected row {row}')

    def check_tables(self):
        expected = set(self.s.tables) | BOOKKEEPING | HISTORY | self.ancillary
        for t, want in self.s.tables.items():
            if t not in self.sql:
                self.errors.append(f'table {t} is missing')
                continue
            have = columns_of(self.sql[t])
            if set(have) != set(want):
                self.errors.append(f'table {t}: unexpected {sorted(set(have) - set(want))}, missing {sorted(set(want) - set(have))}')
            elif self.o.strict:
                order = lambda cols: [c for c in cols if not c[0].startswith('Z_FOK_')]
                if order(have) != order(want):
                    self.errors.append(f'table {t}: column order {[c[0] for c in have]}, expected {[c[0] for c in want]}')
        for names, *_ in self.s.joins:
            expected |= set(names)
        for t in sorted(set(self.sql) - expected):
            if not t.startswith('sqlite_') and not t.startswith('Z_RT_'):
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
                base = c if self.o.strict else 'Z_FOK_' + self.s.undigited('Z_' + c[6:])[2:] if c in fok else self.s.undigited(c)
                hit = [h for h in have if re.fullmatch(re.escape(base) + suffix, h)]
                if len(hit) == 1:
                    real[c] = hit[0]
                    if hit[0] != c:
                        self.notes.append(f'join table {found[0]}: column {hit[0]} for {c}')
            if len(real) != len(cols + fok) or len(have) != len(real):
                self.errors.append(f'join table {found[0]}: columns {have}, expected {cols + fok}')
            else:
                self.join_columns.append((found[0], [real[c] for c in cols], a, b))

    def check_indexes(self):
        have = {n: s for n, s in self.db.execute("select name, sql from sqlite_master where type = 'index' and sql is not null")}
        wanted = set()
        for n, (table, cols, unique, where) in (self.s.indexes if self.framework > 754 else self.s.old_indexes).items():
            wanted.add(n)
            if n not in have:
                (self.errors if self.o.strict else self.notes).append(f'index {n} is missing')
                continue
            got = re.match(r'CREATE (UNIQUE )?INDEX "?\w+"? ON "?(\w+)"? \(([^()]*)\)(?: WHERE (.*))?$', have[n])
            if (not got or got[2] != table or [c.split()[0] for c in got[3].split(', ')] != cols or bool(got[1]) != unique
                    or bool(got[4]) != bool(where)):
                self.errors.append(f'index {n}: {have[n]}')
            elif isinstance(where, str) and got[4].replace('"', '').strip() != where:
                self.errors.append(f'index {n}: WHERE {got[4]}, expected {where}')
        if self.o.strict:
            for t, cols, *_ in self.join_columns:
                wanted.add(f'{t}_{cols[1]}_INDEX')      # REFLEXIVE too
                if f'{t}_{cols[1]}_INDEX' not in have:
                    self.errors.append(f'index {t}_{cols[1]}_INDEX is missing')
            for n in sorted(set(have) - wanted):
                if not re.match(r'A(CHANGE|TRANSACTION)|Z_TRANSACTION', n):
                    self.errors.append(f'index {n} is unexpected')

    def check_rtrees(self):
        plain = lambda sql: re.sub(r'[\s";]', '', sql or '').upper()
        known = dict(self.s.rtrees)
        for t in sorted(self.sql):                 # Apple's model caches don't list R-tree indexes: take what is there by its own columns
            m = re.fullmatch(r'CREATE VIRTUAL TABLE "?Z_RT_(\w+)"? USING RTREE ?\(Z_PK INTEGER PRIMARY KEY, (.*)\)', self.sql[t] or '', re.I)
            if m and t not in known:
                entity = next((e for e in self.model if m[1].startswith(e + '_')), None)
                cols = re.findall(r'(\w+)_MIN ', m[2])
                if self.o.strict and self.from_xml or entity is None or not set(cols) <= {c for c, _ in self.s.tables[self.s.table_of(entity)]}:
                    self.errors.append(f'R-tree {t} is unexpected: {self.sql[t]}')
                else:
                    known[t] = self.s.table_of(entity), cols
        for t, (table, cols) in known.items():
            for n, want in rtree_sql(t, table, cols).items():
                have = self.sql.get(n) or self.triggers.get(n)
                if have is None and n != t and not self.o.strict:
                    self.notes.append(f'R-tree trigger {n} is missing (in-place migrations lose it)')
                elif plain(have) != plain(want):
                    self.errors.append(f'R-tree {n}: {have or "missing"}, expected {want}')
        shadows = {f'{t}_{x}' for t in known for x in ('node', 'parent', 'rowid')} | set(known)
        for t in sorted(x for x in self.sql if x.startswith('Z_RT_') and x not in shadows and 'VIRTUAL' not in (self.sql[x] or '').upper()):
            self.errors.append(f'table {t} is unexpected')
        for t in sorted(self.triggers):
            if not re.match(r'Z_RT_|Z_DA_|ZT_', t):
                self.notes.append(f'trigger {t} is none of Core Data\'s')

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
            leaves = [x for a in e.attrs.values() for x in self.s.leaves(a, (n, a.name))]
            for a, key in leaves:
                col = self.s.column.get(key)
                if len(key) == 2 and not a.optional and a.derivation is None:
                    lacking = one(f'select count(*) from {t} where {col} is null and Z_ENT in ({nums(n)})')
                    if lacking:
                        self.notes.append(f'{t}.{col}: {lacking} rows of {n} lack the required value (an in-place migration can leave that)')
                allowed = {'INTEGER': 'integer', 'FLOAT': 'real', 'TIMESTAMP': 'real,integer', 'DECIMAL': 'real,integer',
                           'VARCHAR': 'text', 'BLOB': 'blob'}
                if col:
                    kinds = {k for k, in self.db.execute(f'select distinct typeof({col}) from {t} where {col} is not null')}
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
                lost = one(f'select count(*) from {t} a left join {d} b on b.Z_PK = a.{col} where a.Z_ENT in ({nums(n)}) '
                           f'and a.{col} is not null and (b.Z_PK is null or b.Z_ENT not in ({nums(r.dest)}))')
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
        model, identifier = model_from_file(model_path) if model_path else model_from_cache(db)
        c = Check(model, identifier, db, options, bool(model_path))
        if options.dump:
            for t, cols in c.s.tables.items():
                print(t, ', '.join(' '.join(x) for x in cols))
            for names, cols, fok, *_ in c.s.joins:
                print(' or '.join(names), ', '.join(cols + fok))
            for n, x in sorted(c.s.indexes.items()):
                print('index', n, *x)
            for n, x in c.s.rtrees.items():
                for sql in rtree_sql(n, *x).values():
                    print('R-tree', sql)
        c.run()
        return c.errors, c.notes
    finally:
        db.close()
        if folder:
            shutil.rmtree(folder)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('paths', nargs='*')
    p.add_argument('--pairs')
    for flag in ('--cache', '--strict', '--rows', '--no-hash', '--dump', '--quiet'):
        p.add_argument(flag, action='store_true')
    o = p.parse_args()
    if o.pairs:
        work = [line.rstrip('\n').split('\t') for line in open(o.pairs) if '\t' in line]
    elif o.cache:
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
        except (OSError, LookupError, TypeError, ValueError, ET.ParseError, sqlite3.Error, zlib.error) as x:
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
