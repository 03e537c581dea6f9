import { describe, expect, it } from 'vitest';
import { candidateKeys } from './candidate-keys.ts';
import type { RelationScheme } from './functional-dependency.ts';
import { normalFormOf } from './normal-form-of.ts';
import { dependencyText, parseDependency } from './parse-dependency.ts';
import { type SynthesisOptions, synthesize3NF } from './synthesize-3nf.ts';
import { verifyCertificate } from './verify-certificate.ts';

function scheme(name: string, attributes: readonly string[], dependencies: readonly string[]): RelationScheme {
  return { name, attributes, dependencies: dependencies.map((text) => parseDependency(text, attributes)) };
}

/** `Student(*ID, Name)` for each part, and `Student(Dept) > Dept` for each foreign key; the certificate must hold. */
function decomposed(relation: RelationScheme, options: SynthesisOptions = {}): readonly string[] {
  const decomposition = synthesize3NF(relation, options);
  expect(verifyCertificate(decomposition)).toEqual({ valid: true, problems: [] });
  return [
    ...decomposition.relations.map(({ name, attributes, key }) => {
      const columns = attributes.map((attribute) => (key.includes(attribute) ? `*${attribute}` : attribute));
      return `${name}(${columns.join('; ')})`;
    }),
    ...decomposition.foreignKeys.map(({ from, to, attributes }) => `${from}(${attributes.join('; ')}) > ${to}`),
  ];
}

// The inputs on which the normaliser of SchemaAgent's authors was measured, each with what a textbook gives.
describe('decomposition into third normal form', () => {
  it('splits a transitive dependency off, and the foreign key leads to it', () => {
    const student = scheme('Student', ['ID', 'Name', 'Age', 'Dept', 'Dorm'], ['ID -> Name, Age, Dept', 'Dept -> Dorm']);
    expect(decomposed(student)).toEqual(['Student(*ID; Name; Age; Dept)', 'Dept(*Dept; Dorm)', 'Student(Dept) > Dept']);
    expect(normalFormOf(student)).toMatchObject({ form: '2NF', complete: true });
  });

  it('gives the same where the right side was written down closed', () => {
    const student = scheme(
      'Student',
      ['ID', 'Name', 'Age', 'Dept', 'Dorm'],
      ['ID -> Name, Age, Dept, Dorm', 'Dept -> Dorm'],
    );
    expect(decomposed(student)).toEqual(['Student(*ID; Name; Age; Dept)', 'Dept(*Dept; Dorm)', 'Student(Dept) > Dept']);
  });

  it('splits partial dependencies off a composite key', () => {
    const enrol = scheme(
      'Enrol',
      ['SID', 'CID', 'Grade', 'SName', 'CName'],
      ['SID, CID -> Grade', 'SID -> SName', 'CID -> CName'],
    );
    expect(decomposed(enrol)).toEqual([
      'Enrol(*SID; *CID; Grade)',
      'SID(*SID; SName)',
      'CID(*CID; CName)',
      'Enrol(SID) > SID',
      'Enrol(CID) > CID',
    ]);
    expect(normalFormOf(enrol).form).toBe('1NF');
  });

  it('reads an ampersand between known attributes as a separator', () => {
    const enrol = scheme('Enrol', ['SID', 'CID', 'Grade', 'SName'], ['SID & CID -> Grade', 'SID -> SName']);
    expect(decomposed(enrol)).toEqual(['Enrol(*SID; *CID; Grade)', 'SID(*SID; SName)', 'Enrol(SID) > SID']);
  });

  it('keeps an attribute whole whose name holds an ampersand', () => {
    const attributes = ['SID & CID', 'SID', 'CID', 'Grade', 'SName'];
    const enrol = scheme('Enrol', attributes, ['SID & CID -> Grade, SID, CID', 'SID -> SName']);
    expect(decomposed(enrol)).toEqual(['Enrol(*SID & CID; SID; CID; Grade)', 'SID(*SID; SName)', 'Enrol(SID) > SID']);
  });

  it('takes all attributes as the key of a relation without dependencies', () => {
    const enrol = scheme('Enrol', ['SID', 'CID'], []);
    expect(candidateKeys(enrol)).toEqual({ keys: [['SID', 'CID']], complete: true });
    expect(normalFormOf(enrol)).toEqual({ form: 'BCNF', violations: [], complete: true });
    expect(decomposed(enrol)).toEqual(['Enrol(*SID; *CID)']);
  });

  it('keeps one relation of keys that determine each other, without losing one', () => {
    const ring = scheme('R', ['A', 'B', 'C', 'D'], ['A -> B', 'B -> C', 'C -> A, D']);
    expect(candidateKeys(ring).keys).toEqual([['A'], ['B'], ['C']]);
    expect(decomposed(ring)).toEqual(['R(*A; B; C; D)']);
    expect(synthesize3NF(ring).relations[0]?.alternateKeys).toEqual([['B'], ['C']]);
  });

  it('decomposes two relations into four, with names that no other has', () => {
    const student = scheme(
      'Student',
      ['Student ID', 'Name', 'Dept', 'Dorm'],
      ['Student ID -> Name, Dept', 'Dept -> Dorm'],
    );
    const course = scheme(
      'Course',
      ['Course ID', 'Title', 'Room', 'Building'],
      ['Course ID -> Title, Room', 'Room -> Building'],
    );
    expect(decomposed(student, { taken: ['Course'] })).toEqual([
      'Student(*Student ID; Name; Dept)',
      'Dept(*Dept; Dorm)',
      'Student(Dept) > Dept',
    ]);
    expect(decomposed(course, { taken: ['Student', 'Dept', 'ROOM'] })).toEqual([
      'Course(*Course ID; Title; Room)',
      'CourseRoom(*Room; Building)',
      'Course(Room) > CourseRoom',
    ]);
  });

  it('decomposes both of them as one relation, joined by their keys', () => {
    const both = scheme(
      'Attendance',
      ['Student ID', 'Name', 'Dept', 'Dorm', 'Course ID', 'Title', 'Room', 'Building'],
      ['Student ID -> Name, Dept', 'Dept -> Dorm', 'Course ID -> Title, Room', 'Room -> Building'],
    );
    expect(decomposed(both)).toEqual([
      'Attendance(*Student ID; *Course ID)',
      'Student(*Student ID; Name; Dept)',
      'Dept(*Dept; Dorm)',
      'Course(*Course ID; Title; Room)',
      'Room(*Room; Building)',
      'Attendance(Student ID) > Student',
      'Attendance(Course ID) > Course',
      'Student(Dept) > Dept',
      'Course(Room) > Room',
    ]);
  });

  it('leaves a superfluous attribute of a left side out', () => {
    expect(decomposed(scheme('R', ['A', 'B', 'C'], ['A -> B', 'A, B -> C']))).toEqual(['R(*A; B; C)']);
  });

  it('keeps a relation of one attribute', () => {
    expect(decomposed(scheme('Tag', ['Name'], []))).toEqual(['Tag(*Name)']);
  });

  it('does not cut names at their commas', () => {
    const place = scheme('Place', ['ID', 'City, State', 'Zip'], ['City, State -> Zip', 'ID -> City, State']);
    expect(place.dependencies.map(dependencyText)).toEqual(['"City, State" -> Zip', 'ID -> "City, State"']);
    expect(decomposed(place)).toEqual([
      'Place(*ID; City, State)',
      'City, State(*City, State; Zip)',
      'Place(City, State) > City, State',
    ]);
  });

  it('does not split what is in third normal form, in whatever order the dependencies stand', () => {
    const attributes = ['Street', 'City', 'Zip'];
    const dependencies = ['Street, City -> Zip', 'Zip -> City'];
    for (const order of [dependencies, dependencies.toReversed()]) {
      const address = scheme('Address', attributes, order);
      expect(decomposed(address)).toEqual(['Address(*Street; *City; Zip)']);
      expect(normalFormOf(address)).toMatchObject({
        form: '3NF',
        violations: [{ breaks: 'BCNF', dependency: { left: ['Zip'], right: ['City'] } }],
      });
    }
  });
});
