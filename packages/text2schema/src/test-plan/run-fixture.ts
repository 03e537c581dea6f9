import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AdapterSpec,
  attributeId,
  createCallContext,
  type DataType,
  foreignKeyId,
  relationId,
  type Schema,
} from '@askema/core';
import { sqlite } from '@askema/sqlite';
import Database from 'better-sqlite3';
import type { DesignedRelation, LogicalDesign } from '../model/logical-design.ts';
import type { TestCase, TestCell, TestPlan, TestRow, TestRun, TestSet, TestValue } from '../model/test-plan.ts';
import { type RunTestPlanOptions, runTestPlan } from './run-test-plan.ts';

/** For tests: a relation in words. */
export interface DesignFixture {
  /** `name` or `name TYPE`, optionally followed by ` unique`; TEXT when left out. */
  readonly attributes: readonly string[];
  readonly key: readonly string[];
  /** `from, from > target: to, to` */
  readonly references?: readonly string[] | undefined;
  /** The set that it was made from; its own name when left out. */
  readonly set?: string | undefined;
  readonly kind?: 'entity' | 'relationship' | undefined;
  readonly absorbed?: readonly string[] | undefined;
}

/** For tests: a design from words, with the domain constraints of the paper (on primary keys alone). */
export function designFixture(relations: Readonly<Record<string, DesignFixture>>): LogicalDesign {
  const entries = Object.entries(relations).map(([name, fixture]) => ({ name, id: relationId([name]), ...fixture }));
  const idOf = (name: string): string => relationId([name]);
  const attributes = entries.flatMap(({ id, attributes: texts }) =>
    texts.map((text) => ({ relation: id, ...attributeOf(text) })),
  );
  const schema: Schema = {
    relations: entries.map(({ id, name }) => ({ id, name })),
    attributes: attributes.map(({ relation, name, type }) => ({
      id: attributeId(relation, name),
      relation,
      name,
      type,
    })),
    primaryKeys: entries.map(({ id, key }) => ({ relation: id, attributes: key.map((name) => attributeId(id, name)) })),
    foreignKeys: entries.flatMap(({ id, references = [] }) =>
      references.map((text) => {
        const [near = '', far = ''] = text.split(' > ');
        const [target = '', to = ''] = far.split(': ');
        const toNames = to.split(', ');
        const pairs = near.split(', ').map((from, at) => ({
          from: attributeId(id, from),
          to: attributeId(idOf(target), toNames[at] ?? ''),
        }));
        return { id: foreignKeyId(id, idOf(target), pairs), relation: id, target: idOf(target), pairs };
      }),
    ),
    domainConstraints: [
      ...entries.flatMap(({ id, key }) =>
        key.map((name) => ({ attribute: attributeId(id, name), constraint: 'not null' as const })),
      ),
      ...attributes.flatMap(({ relation, name, unique }) =>
        unique ? [{ attribute: attributeId(relation, name), constraint: 'unique' as const }] : [],
      ),
    ],
  };
  return {
    schema,
    relations: entries.map(
      ({ id, name, key, set = name, kind = 'entity', absorbed = [], attributes: texts }): DesignedRelation => ({
        relation: id,
        name,
        source: { set, kind },
        absorbed,
        dependencies: [{ left: key, right: texts.map((text) => attributeOf(text).name) }],
        candidateKeys: [key],
      }),
    ),
    decompositions: [],
    findings: [],
  };
}

function attributeOf(text: string): { readonly name: string; readonly type: DataType; readonly unique: boolean } {
  const unique = text.endsWith(' unique');
  const plain = unique ? text.slice(0, -' unique'.length) : text;
  const type = /^(.+) (NUMERIC|TEXT|DATETIME|BINARY|BOOL)$/.exec(plain);
  return { name: type?.[1] ?? plain, type: (type?.[2] ?? 'TEXT') as DataType, unique };
}

type Cells = readonly (readonly [attribute: string, value: TestValue])[];

function cellsOf(cells: Cells): TestCell[] {
  return cells.map(([attribute, value]) => ({ attribute, value }));
}

export function given(target: string, ...cells: Cells): TestRow {
  return { target, values: cellsOf(cells) };
}

type Expected = 'accepted' | 'entity integrity' | 'referential integrity' | 'not null' | 'unique' | readonly Cells[];

/** For tests: a case in few words. */
export function caseOf(
  operation: TestCase['operation'],
  target: string,
  parts: { readonly values?: Cells; readonly where?: Cells },
  expected: Expected,
): TestCase {
  return {
    operation,
    purpose: `${operation} ${target}`,
    target,
    values: cellsOf(parts.values ?? []),
    where: cellsOf(parts.where ?? []),
    expected:
      typeof expected !== 'string'
        ? { outcome: 'rows', rows: expected.map(cellsOf) }
        : expected === 'accepted'
          ? { outcome: 'accepted' }
          : { outcome: 'rejected', by: expected },
  };
}

export function planOf(
  ...sets: readonly { readonly given?: readonly TestRow[]; readonly cases: readonly TestCase[] }[]
): TestPlan {
  return {
    sets: sets.map((set, at): TestSet => ({ title: `set ${at + 1}`, given: set.given ?? [], cases: set.cases })),
  };
}

/** For tests: empty SQLite files in a folder that goes with it. */
export interface ScratchFolder extends Disposable {
  /** Every scratch database that was opened. */
  readonly opened: AdapterSpec[];
  readonly scratch: () => AdapterSpec;
}

export function scratchFolder(sql = ''): ScratchFolder {
  const folder = mkdtempSync(join(tmpdir(), 'askema-tests-'));
  const opened: AdapterSpec[] = [];
  return {
    opened,
    scratch: () => {
      const file = join(folder, `${opened.length}.sqlite`);
      const database = new Database(file);
      // A file without a page is no database yet.
      database.pragma('user_version = 1');
      database.exec(sql);
      database.close();
      const spec = sqlite({ file, access: 'write', poolSize: 1 });
      opened.push(spec);
      return spec;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** For tests: one run on a SQLite file. */
export async function runOnSqlite(
  plan: TestPlan,
  design: LogicalDesign,
  options: Partial<RunTestPlanOptions> = {},
): Promise<TestRun> {
  const folder = scratchFolder();
  try {
    return await runTestPlan({ plan, design, scratch: folder.scratch, context: createCallContext(), ...options });
  } finally {
    folder[Symbol.dispose]();
  }
}

/** Each result as `set.case status (role): actual`, short. */
export function summary({ results }: TestRun): string[] {
  return results.map(
    ({ set, case: number, status, role }) => `${set}.${number} ${status}${role === undefined ? '' : ` (${role})`}`,
  );
}
