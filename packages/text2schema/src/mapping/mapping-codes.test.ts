import { describe, expect, it } from 'vitest';
import { designFixture, relationLines, type SetFixture } from './design-fixture.ts';
import { mapToRelations } from './map-to-relations.ts';
import { MAPPING_CODES, type MappingFindingCode } from './mapping-codes.ts';

type Sets = Readonly<Record<string, SetFixture>>;

const STUDENT: SetFixture = { attributes: ['Student ID', 'Name'], dependencies: ['Student ID -> Name'] };
const COURSE: SetFixture = { attributes: ['Course ID', 'Title'], dependencies: ['Course ID -> Title'] };
const TAKES: SetFixture = {
  between: ['Student many', 'Course many'],
  attributes: ['Grade'],
  dependencies: ['Student, Course -> Grade'],
};
const SOUND: Sets = { Student: STUDENT, Course: COURSE, Takes: TAKES };

/** For each code: sets that trigger it, and sets beside them that must not. */
const CASES: Readonly<Partial<Record<MappingFindingCode, { readonly triggers: Sets; readonly silent: Sets }>>> = {
  'dependency-unknown-name': {
    triggers: { ...SOUND, Student: { ...STUDENT, dependencies: ['Student ID -> Name', 'Nmae -> Name'] } },
    silent: { ...SOUND, Student: { ...STUDENT, dependencies: ['student_id -> name'] } },
  },
  'dependency-names-many': {
    triggers: { ...SOUND, Student: { ...STUDENT, dependencies: ['Student ID -> Name', 'Course, Name -> Student ID'] } },
    silent: {
      ...SOUND,
      Takes: { ...TAKES, between: ['Student many', 'Course one'] },
      Student: { ...STUDENT, dependencies: ['Student ID -> Name, Course'] },
    },
  },
  'dependency-without-left': {
    triggers: { ...SOUND, Student: { ...STUDENT, dependencies: ['-> Name', 'Student ID -> Name'] } },
    silent: SOUND,
  },
  'dependencies-missing': {
    triggers: { ...SOUND, Student: { ...STUDENT, dependencies: [] } },
    silent: { ...SOUND, Tag: { attributes: ['Tag ID'] } },
  },
  'attribute-undetermined': {
    triggers: { ...SOUND, Student: { ...STUDENT, attributes: ['Student ID', 'Name', 'Born'] } },
    silent: { ...SOUND, Takes: { ...TAKES, dependencies: [] } },
  },
  'preferred-key-no-key': {
    triggers: { ...SOUND, Student: { ...STUDENT, preferredKey: ['Name'] } },
    silent: { ...SOUND, Student: { ...STUDENT, preferredKey: ['student id'] } },
  },
  'binary-in-key': {
    triggers: { ...SOUND, Photo: { attributes: ['Picture BINARY'] } },
    silent: { ...SOUND, Photo: { attributes: ['Photo ID', 'Picture BINARY'], dependencies: ['Photo ID -> Picture'] } },
  },
  'all-key-needless': {
    triggers: { ...SOUND, Takes: { ...TAKES, preferredKey: ['Student', 'Course', 'Grade'], dependencies: [] } },
    silent: {
      ...SOUND,
      Takes: { ...TAKES, attributes: ['At DATETIME'], preferredKey: ['Student', 'Course', 'At'], dependencies: [] },
    },
  },
  decomposed: {
    triggers: {
      Student: { attributes: ['Student ID', 'Dept', 'Dorm'], dependencies: ['Student ID -> Dept', 'Dept -> Dorm'] },
    },
    silent: {
      Student: { attributes: ['Street', 'City', 'Zip'], dependencies: ['Street, City -> Zip', 'Zip -> City'] },
    },
  },
  'attribute-of-connected-entity': {
    triggers: {
      Student: { attributes: ['Student ID', 'Dorm'], dependencies: ['Student ID -> Dept', 'Dept -> Dorm'] },
      Dept: { attributes: ['Dept ID'] },
      'belongs to': { between: ['Student many', 'Dept one'] },
    },
    silent: {
      Student: { attributes: ['Student ID', 'Dept', 'Dorm'], dependencies: ['Student ID -> Dept', 'Dept -> Dorm'] },
    },
  },
  'keys-incomplete': {
    triggers: {
      Pairs: {
        attributes: Array.from({ length: 16 }, (_, at) => [`A${at}`, `B${at}`]).flat(),
        dependencies: Array.from({ length: 16 }, (_, at) => [`A${at} -> B${at}`, `B${at} -> A${at}`]).flat(),
      },
    },
    silent: SOUND,
  },
  'relation-renamed': {
    triggers: { ...SOUND, takes: { between: ['Course as first many', 'Course as next many'] } },
    silent: { ...SOUND, takes: { between: ['Student many', 'Course one'] } },
  },
  'entity-without-key': {
    triggers: { ...SOUND, Note: { attributes: ['Text', 'Colour'] } },
    silent: {
      ...SOUND,
      Tag: { attributes: ['Label'] },
      Visit: { attributes: ['Day'], preferredKey: ['Student', 'Day'] },
      pays: { between: ['Student one', 'Visit many'] },
    },
  },
  'relationship-without-key': {
    triggers: { A: { attributes: [] }, B: { attributes: [] }, meets: { between: ['A many', 'B many'] } },
    silent: SOUND,
  },
  'participant-unknown': {
    triggers: { ...SOUND, joins: { between: ['Student many', 'Cuorse many'] } },
    silent: { ...SOUND, joins: { between: ['students many', 'course many'] } },
  },
  'attribute-repeated': {
    triggers: { ...SOUND, Student: { ...STUDENT, attributes: ['Student ID', 'Name', 'name'] } },
    silent: SOUND,
  },
  'attribute-left-out': { triggers: {}, silent: SOUND },
  'key-cycle': {
    triggers: {
      A: { attributes: ['No', 'X'], dependencies: ['B, No -> X'] },
      B: { attributes: ['Nr', 'Y'], dependencies: ['A, Nr -> Y'] },
      ab: { between: ['A one', 'B many'] },
      ba: { between: ['B one', 'A many'] },
    },
    silent: {
      A: { attributes: ['No', 'X'], dependencies: ['No -> X'] },
      B: { attributes: ['Nr', 'Y'], dependencies: ['A, Nr -> Y'] },
      ab: { between: ['A one', 'B many'] },
      ba: { between: ['B one', 'A many'] },
    },
  },
  'dependency-against-cardinality': {
    triggers: { ...SOUND, Takes: { ...TAKES, dependencies: ['Student -> Course, Grade'] } },
    silent: {
      ...SOUND,
      Takes: { ...TAKES, between: ['Student many', 'Course one'], dependencies: ['Student -> Course, Grade'] },
    },
  },
};

/** Codes whose input the fixture cannot write; they have tests of their own below. */
const OTHERS = ['set-unknown', 'set-left-out', 'set-repeated', 'attribute-unknown', 'attribute-left-out'];
/** Codes that only odd input reaches: see the last test. */
const RARE = ['dependencies-ignored', 'foreign-key-split', 'foreign-key-to-other-key'];

const findingsOf = (sets: Sets) => {
  const { model, proposal } = designFixture(sets);
  return mapToRelations(model, proposal).findings;
};

describe('findings of mapToRelations', () => {
  it('have a case for every code', () => {
    const covered = [...Object.keys(CASES), ...OTHERS, ...RARE];
    expect(Object.keys(MAPPING_CODES).filter((code) => !covered.includes(code))).toEqual([]);
  });

  for (const [code, { triggers, silent }] of Object.entries(CASES)) {
    if (OTHERS.includes(code)) continue;
    it(`${code} is found, with who can mend it, and not where nothing is wrong`, () => {
      const found = findingsOf(triggers).filter((finding) => finding.code === code);
      const { severity, role } = MAPPING_CODES[code as MappingFindingCode];
      expect(found[0]).toMatchObject({ severity, role });
      expect(found[0]?.message.length).toBeGreaterThan(10);
      expect(found[0]?.remedy.length).toBeGreaterThan(10);
      expect(findingsOf(silent).map((finding) => finding.code)).not.toContain(code);
    });
  }

  it('find sets and attributes that the proposal lacks or makes up', () => {
    const { model, proposal } = designFixture(SOUND);
    const [student, course, takes] = proposal.sets;
    if (student === undefined || course === undefined || takes === undefined) throw new Error('a set is missing');
    const found = (sets: typeof proposal.sets) =>
      mapToRelations(model, { sets }).findings.map(({ code, subject, message }) => `${code} ${subject}: ${message}`);
    expect(found(proposal.sets)).toEqual([]);
    expect(found([student, course, takes, { ...student, set: 'Studnet' }])).toEqual([
      'set-unknown Studnet: The model has no set `Studnet`. Did you mean `Student`?',
    ]);
    expect(found([student, course, takes, student])).toEqual([
      'set-repeated Student: The proposal speaks of `Student` twice.',
    ]);
    expect(found([student, takes])).toEqual(['set-left-out Course: The proposal says nothing of `Course`.']);
    const [id] = student.attributes;
    if (id === undefined) throw new Error('no attribute');
    expect(found([{ ...student, attributes: [id] }, course, takes])).toEqual([
      'attribute-left-out Student: The proposal gives `Name` of `Student` no type.',
    ]);
    expect(
      found([{ ...student, attributes: [...student.attributes, { ...id, name: 'Nmae' }] }, course, takes]),
    ).toEqual(['attribute-unknown Student: `Student` has no attribute `Nmae`. Did you mean `Name`?']);
  });

  it('let nothing be guessed worse than a set that was left out: its key is what reads like one', () => {
    const { model, proposal } = designFixture(SOUND);
    const design = mapToRelations(model, { sets: proposal.sets.slice(1) });
    expect(relationLines(design.schema)[0]).toBe('Student(*Student ID, Name)');
    expect(relationLines(mapToRelations(model, { sets: [] }).schema)).toHaveLength(3);
  });

  it('keep what a dependency with an unknown name on its right side says besides', () => {
    const { model, proposal } = designFixture({
      ...SOUND,
      Student: { ...STUDENT, dependencies: ['Student ID -> Name, Nothing'] },
    });
    const design = mapToRelations(model, proposal);
    expect(design.findings.map(({ code }) => code)).toEqual(['dependency-unknown-name']);
    expect(relationLines(design.schema)[0]).toBe('Student(*Student ID, Name)');
  });

  it('cut a circle of keys, of one entity set or of several, and end', () => {
    const own = findingsOf({
      Part: { attributes: ['No', 'Weight'], dependencies: ['whole, No -> Weight'] },
      'is in': { between: ['Part as whole one', 'Part as piece many'] },
    });
    expect(own.map(({ code }) => code)).toEqual(['key-cycle']);
    expect(own[0]?.role).toBe('conceptual-designer');
  });

  it('make the key by which parts reference each other the primary key of a part', () => {
    const { model, proposal } = designFixture({
      Visit: {
        attributes: ['Visit ID', 'Ward Name', 'Ward Code', 'Day'],
        dependencies: ['Visit ID -> Ward Name, Day', 'Ward Code -> Ward Name', 'Ward Name -> Ward Code'],
      },
    });
    expect(relationLines(mapToRelations(model, proposal).schema)).toEqual([
      'Visit(*Visit ID, Ward Name, Day) > Ward(Ward Name)',
      'Ward(*Ward Name, Ward Code)',
    ]);
    const takes = designFixture({
      Dept: { attributes: ['ID'] },
      takes: {
        between: ['Dept one', 'Dept as head one'],
        attributes: ['Order No'],
        preferredKey: ['head', 'Order No'],
      },
    });
    expect(relationLines(mapToRelations(takes.model, takes.proposal).schema).slice(1)).toEqual([
      'takes(*Head ID, *Order No) > Takes Dept(Head ID)',
      'Takes Dept(Dept ID, *Head ID) > Dept(Dept ID = ID) > Dept(Head ID = ID)',
    ]);
  });

  it('say so when a foreign key makes a part of the key identify the row', () => {
    const design = designFixture({
      Owner: { attributes: ['Owner ID', 'Name'], dependencies: ['Owner ID -> Name'] },
      Share: { attributes: ['Owner ID', 'Year', 'Amount'], dependencies: ['Owner ID, Year -> Amount'] },
      holds: { between: ['Owner one', 'Share one'] },
    });
    const { findings, schema } = mapToRelations(design.model, design.proposal);
    expect(findings.map(({ code }) => code)).toEqual(['dependencies-ignored']);
    expect(relationLines(schema)[1]).toBe('Share(*Owner ID, *Year, Amount) > Owner(Owner ID)');
  });
});
