import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { unsafeCharacters } from '../../testing/unsafe-characters.ts';

const UNIVERSITY = `
relations:
  - name: Student
    attributes: [ID, Name, Dept, Dorm]
    dependencies:
      - ID -> Name, Dept
      - Dept -> Dorm
  - name: Course
    dependencies: [ 'No → Title, Dept', 'Dept -> Chair', 'Title -> No' ]
    key: Title
  - name: Place
    attributes: [ID, "City, State", Zip]
    dependencies:
      - City, State -> Zip
      - ID -> City, State
`;

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.write('university.yaml', UNIVERSITY);
});
afterAll(() => project.remove());

const normalize = (parameters: readonly string[], stdin?: string) =>
  runInProcess(['normalize', ...parameters], { cwd: project.folder, ...(stdin === undefined ? {} : { stdin }) });

describe('askema normalize', () => {
  it('prints keys, normal form, cover, decomposition and certificate of each relation', async () => {
    const { code, stdout, stderr } = await normalize(['university.yaml']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n\n')[0]).toBe(
      [
        'Student (ID, Name, Dept, Dorm)',
        '  candidate keys  (ID)',
        '  prime           ID',
        '  normal form     2NF',
        '                  not 3NF: Dept -> Dorm. `Dorm` depends on `Dept`, which is no key; `Dorm` stands in no key either.',
        '  minimal cover   ID -> Name, Dept',
        '                  Dept -> Dorm',
        '  decomposition   Student (ID, Name, Dept)',
        '                    key (ID)',
        '                    foreign key (Dept) to Dept',
        '                  Dept (Dept, Dorm)',
        '                    key (Dept)',
        '  certificate     valid: 2 parts in 3NF; lossless, chase of 1 step; dependencies preserved',
      ].join('\n'),
    );
    expect(stdout).toContain('Course (No, Title, Dept, Chair)');
    expect(stdout).toContain('key (Title), also (No)');
    expect(stdout).toContain('foreign key (Dept) to CourseDept');
    expect(stdout).toContain('Place (ID, "City, State")');
  });

  it('prints everything as JSON, which another program can verify', async () => {
    const { code, stdout } = await normalize(['university.yaml', '--json']);
    expect(code).toBe(0);
    const { schemaVersion, relations } = JSON.parse(stdout);
    expect(schemaVersion).toBe(1);
    expect(relations).toHaveLength(3);
    expect(relations[1]).toMatchObject({
      name: 'Course',
      candidateKeys: { keys: [['No'], ['Title']], complete: true },
      primeAttributes: ['No', 'Title'],
      normalForm: { form: '2NF', violations: [{ breaks: '3NF', dependency: { left: ['Dept'], right: ['Chair'] } }] },
      decomposition: {
        relations: [{ name: 'Course', key: ['Title'], alternateKeys: [['No']] }, { name: 'CourseDept' }],
      },
      verdict: { valid: true, problems: [] },
    });
    expect(relations[1].decomposition.certificate.lossless.steps).toHaveLength(1);
  });

  it('reads JSON from stdin, a single relation, and names that YAML takes for something else', async () => {
    const one = await normalize(['-'], JSON.stringify({ name: 'R', attributes: ['A', 'B'], dependencies: ['A -> B'] }));
    expect(one.stdout).toMatch(/^R \(A, B\)[\s\S]*BCNF[\s\S]*none needed/);
    const odd = await normalize([], 'attributes: [No, 2024, ~, "true"]\ndependencies: [No -> 2024]\n');
    expect(odd).toMatchObject({ code: 0 });
    expect(odd.stdout).toContain('R (No, 2024, ~, true)');
    const list = await normalize([], '- name: A\n  attributes: [x]\n- name: B\n  attributes: [y]\n');
    expect(list.stdout).toMatch(/^A \(x\)[\s\S]*\n\nB \(y\)/);
  });

  it('says when the search of keys was cut', async () => {
    const pairs = Array.from({ length: 8 }, (_, at) => [`A${at} -> B${at}`, `B${at} -> A${at}`]).flat();
    const { stdout } = await normalize(['--max-keys', '5'], JSON.stringify({ name: 'R', dependencies: pairs }));
    expect(stdout).toMatch(/the search was cut/);
    expect(stdout).toMatch(/as far as the keys that were found tell/);
  });

  it.each([
    [
      'a name that is nearly right',
      'relations: [{ name: S, attributes: [Name, Zip], dependencies: ["Nmae -> Zip"] }]',
      /`relations\[0\]\.dependencies\[0\]`.*`Nmae`.*Did you mean `Name`/,
    ],
    ['a field that is nearly right', '- name: S\n  atributes: [A]', /`\[0\]\.atributes`.*Did you mean `attributes`/],
    ['a dependency without an arrow', '{ name: S, dependencies: [A B] }', /`dependencies\[0\]`.*no arrow/],
    ['an attribute twice', '{ name: S, attributes: [A, B, A] }', /`attributes\[2\]` is `A` for the second time/],
    [
      'a key that is none of the attributes',
      '{ name: S, attributes: [Mail], key: [Mial] }',
      /`key\[0\]` is `Mial`.*Did you mean `Mail`/,
    ],
    [
      'a relation twice',
      '[{ name: S, attributes: [A] }, { name: s, attributes: [A] }]',
      /`\[1\]\.name` is `s`, as that of \[0\]/,
    ],
    ['a list without names', '[{ attributes: [A] }]', /`\[0\]\.name` is missing/],
    ['nothing', ' ', /stdin is empty/],
    ['no relation', 'relations: []', /holds no relation/],
    ['a text', 'hello', /is no relation/],
    ['no attributes at all', '{ name: S }', /`attributes` is missing/],
    ['a list in a list', '{ name: S, attributes: [[A]] }', /`attributes\[0\]` is no text/],
    [
      'broken YAML',
      'name: S\ndependencies:\n  - "A, B" -> C\n',
      /neither YAML nor JSON.*line 3.*single quotes as a whole/,
    ],
    ['deep nesting', '['.repeat(100_000), /neither YAML nor JSON|cannot be read/],
    [
      'a bomb of aliases',
      `a: &a [x]\nb: &b [${'*a,'.repeat(50)}*a]\nname: [${'*b,'.repeat(50)}*b]`,
      /cannot be read|is no field/,
    ],
  ])('ends with 2, a code and the place for %s', async (_, text, message) => {
    const { code, stdout, stderr } = await normalize(['-'], text);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/\[INPUT_INVALID\]\n$/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('ends with 2 for a file that is not there', async () => {
    const { code, stderr } = await normalize(['nowhere.yaml']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/nowhere\.yaml cannot be read.*\[INPUT_INVALID\]/);
  });

  it('prints no character that a terminal obeys', async () => {
    const hostile = JSON.stringify({ name: 'R\u001b[2J', dependencies: ['A\u202e -> B\u009b'] });
    for (const parameters of [[], ['--json']]) {
      const { code, stdout } = await normalize(parameters, hostile);
      expect(code).toBe(0);
      expect(unsafeCharacters(stdout.replaceAll('\n', ''))).toEqual([]);
    }
    const { stderr } = await normalize(
      [],
      JSON.stringify({ name: 'R', attributes: ['A'], dependencies: ['\u001b[2J -> A'] }),
    );
    expect(unsafeCharacters(stderr.replaceAll('\n', ''))).toEqual([]);
  });

  it('shows an example in its help', async () => {
    const { code, stdout } = await normalize(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Student ID, Course ID -> Grade');
  });
});
