import { describe, expect, it } from 'vitest';
import type { RelationScheme } from './functional-dependency.ts';
import { nameOfKey } from './name-of-key.ts';
import { parseDependency } from './parse-dependency.ts';
import { synthesize3NF } from './synthesize-3nf.ts';
import { verifyCertificate } from './verify-certificate.ts';

function scheme(name: string, attributes: readonly string[], dependencies: readonly string[]): RelationScheme {
  return { name, attributes, dependencies: dependencies.map((text) => parseDependency(text, attributes)) };
}

describe('synthesize3NF', () => {
  // Merging X and CD leaves A where C determines it, unless it is left out again (Bernstein 1976, section 4).
  it('leaves out what merged keys make transitive', () => {
    const decomposition = synthesize3NF(
      scheme('R', ['X', 'A', 'B', 'C', 'D', 'Y'], ['X, Y -> A, D', 'C, D -> X, Y', 'A, X -> B', 'B, Y -> C', 'C -> A']),
    );
    expect(decomposition.relations[0]).toMatchObject({
      attributes: ['X', 'C', 'D', 'Y'],
      key: ['X', 'Y'],
      alternateKeys: [['C', 'D']],
    });
    expect(verifyCertificate(decomposition).valid).toBe(true);
  });

  it('keys a part by what other parts hold, so that they refer to its key', () => {
    const { relations, foreignKeys } = synthesize3NF(
      scheme(
        'Student',
        ['ID', 'Dept Code', 'Dept Name', 'Budget'],
        ['ID -> Dept Name', 'Dept Code -> Dept Name, Budget', 'Dept Name -> Dept Code'],
      ),
    );
    expect(relations[1]).toMatchObject({ name: 'Dept Name', key: ['Dept Name'], alternateKeys: [['Dept Code']] });
    expect(foreignKeys).toEqual([{ from: 'Student', to: 'Dept Name', attributes: ['Dept Name'] }]);
  });

  it('refers to the nearest part only where that one refers on', () => {
    const { foreignKeys } = synthesize3NF(
      scheme(
        'Mark',
        ['Student', 'Course', 'Term', 'Room', 'Title', 'Exam', 'Points'],
        ['Course -> Title', 'Course, Term -> Room', 'Student, Course, Term, Exam -> Points'],
      ),
    );
    expect(foreignKeys).toEqual([
      { from: 'Mark', to: 'CourseTerm', attributes: ['Course', 'Term'] },
      { from: 'CourseTerm', to: 'Course', attributes: ['Course'] },
    ]);
  });

  it('keeps attributes that no dependency names with the key', () => {
    const { relations } = synthesize3NF(scheme('Person', ['ID', 'Name', 'Hobby'], ['ID -> Name']));
    expect(relations.map(({ name, attributes }) => [name, ...attributes])).toEqual([
      ['Person', 'ID', 'Hobby'],
      ['ID', 'ID', 'Name'],
    ]);
  });

  it('gives the first part the preferred key, and ignores one that is no candidate key', () => {
    const user = scheme('User', ['ID', 'Mail', 'Name'], ['ID -> Mail, Name', 'Mail -> ID']);
    expect(synthesize3NF(user).relations[0]?.key).toEqual(['ID']);
    const preferred = synthesize3NF(user, { preferredKey: ['Mail'] });
    expect(preferred.relations[0]).toMatchObject({ key: ['Mail'], alternateKeys: [['ID']] });
    expect(verifyCertificate(preferred).valid).toBe(true);
    for (const preferredKey of [['Name'], ['ID', 'Mail']])
      expect(synthesize3NF(user, { preferredKey }).relations[0]?.key).toEqual(['ID']);
    expect(() => synthesize3NF(user, { preferredKey: ['Mial'] })).toThrow(/`Mial`.*preferred key.*Did you mean `Mail`/);
  });

  it('puts constants into a part without a key attribute', () => {
    const decomposition = synthesize3NF(
      scheme('Invoice', ['Number', 'Total', 'Currency'], ['Number -> Total', '∅ -> Currency']),
    );
    expect(decomposition.relations.at(-1)).toMatchObject({ name: 'Currency', attributes: ['Currency'], key: [] });
    expect(decomposition.foreignKeys).toEqual([]);
    expect(verifyCertificate(decomposition).valid).toBe(true);
  });

  it('names parts as it is told, and makes the names unique', () => {
    const relation = scheme('R', ['A', 'B', 'C', 'D', 'E'], ['A -> B', 'B -> C', 'C -> D', 'D -> E']);
    const names = (nameOf: () => string, taken: readonly string[]) =>
      synthesize3NF(relation, { nameOf, taken }).relations.map(({ name }) => name);
    expect(names(() => 'r', [])).toEqual(['R', 'R_r', 'R_r_2', 'R_r_3']);
    expect(names(() => 'Part', ['PART', 'R_Part'])).toEqual(['R', 'R_Part_2', 'R_Part_3', 'R_Part_4']);
    expect(() => names(() => ' ', [])).toThrow(/empty name/);
  });

  it('refuses a relation without attributes', () => {
    expect(() => synthesize3NF(scheme('Nothing', [], []))).toThrow(/`Nothing` has no attributes/);
  });

  it('rejects a certificate whose names are not of the original, without throwing', () => {
    const decomposition = synthesize3NF(scheme('R', ['A', 'B'], ['A -> B']));
    expect(verifyCertificate({ ...decomposition, original: scheme('R', ['A', 'C'], []) })).toMatchObject({
      valid: false,
      problems: [{ check: 'parts' }, { check: 'parts' }],
    });
  });
});

describe('nameOfKey', () => {
  it.each([
    [['Department ID'], 'Department'],
    [['DepartmentId'], 'Department'],
    [['department_id'], 'department'],
    [['dept_no'], 'dept'],
    [['Dept Code'], 'Dept'],
    [['Order Number'], 'Order'],
    [['SID'], 'SID'],
    [['Paid'], 'Paid'],
    [['ID'], 'ID'],
    [['学生编号'], '学生'],
    [['课程号'], '课程'],
    [['编号'], '编号'],
    [['Student ID', 'Course ID'], 'Student Course'],
    [['student_id', 'course_id'], 'student_course'],
    [['StudentID', 'CourseID'], 'StudentCourse'],
    [['学生编号', '课程编号'], '学生课程'],
    [['SID', 'CID'], 'SID_CID'],
  ])('names the relation of the key %j', (key, name) => {
    expect(nameOfKey(key, key)).toBe(name);
  });
});
