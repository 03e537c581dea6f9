import { fence, renderProfile } from '@askema/core';
import * as z from 'zod';
import {
  isRowReference,
  type RequirementTest,
  type SchemaRole,
  type StatedFact,
  type StatedRow,
  type TestGap,
  type TestPlace,
  type TestValue,
} from '../model/index.ts';
import { TESTED_PROFILES } from '../profiles/tested-profiles.ts';
import { listOf, nameField, sentenceList, textField, wordOf } from './output-fields.ts';

/** The system prompt of a role of the preset `tested`: the same in every call. Code decides who is next. */
export function testedSystemText(role: 'logical-designer' | 'qa-engineer' | 'conceptual-reviewer'): string {
  return renderProfile({ ...TESTED_PROFILES[role], nextSpeakers: [] });
}

/** How a model writes rows. */
export const rowListForm = () =>
  listOf(
    z.object({
      thing: nameField(),
      label: nameField(),
      facts: sentenceList()
        .refine((facts) => facts.every((fact) => fact.indexOf('=') > 0), 'Write each fact as `fact = value`.')
        .describe('`fact = value`, or `fact = @label`.'),
    }),
  );

/** How a model writes tests. */
export const testListForm = () =>
  listOf(
    z.object({
      kind: wordOf(['fact', 'event', 'refusal']),
      says: textField().describe('One sentence.'),
      rows: rowListForm(),
    }),
  );

type TestListForm = z.infer<ReturnType<typeof testListForm>>;

/** A test as a role writes it. */
export type WrittenTest = Pick<RequirementTest, 'kind' | 'says' | 'by' | 'rows'>;

/** Tests without rows say nothing and are left out. */
export function testsOfForm(form: TestListForm, by: SchemaRole): readonly WrittenTest[] {
  return form
    .filter(({ rows }) => rows.length > 0)
    .map(({ kind, says, rows }) => ({ kind, says, by, rows: rowsOfForm(rows) }));
}

export function rowsOfForm(form: z.infer<ReturnType<typeof rowListForm>>): readonly StatedRow[] {
  return form.map(({ thing, label, facts }) => ({
    thing,
    label: label.replace(/^@/, ''),
    facts: facts.map(factOf).filter((fact) => fact !== undefined),
  }));
}

/** `lent on = 2026-03-02`. What has no `=` is a fact without a value, which nobody can test. */
function factOf(text: string): StatedFact | undefined {
  const at = text.indexOf('=');
  const fact = text.slice(0, at).trim();
  if (at < 1 || fact === '') return undefined;
  return { fact, value: statedValue(text.slice(at + 1).trim()) };
}

function statedValue(text: string): StatedFact['value'] {
  if (/^@\S/.test(text)) return { row: text.slice(1).trim() };
  return plainValue(text);
}

function plainValue(text: string): TestValue {
  if (/^-?\d+(?:\.\d+)?$/.test(text) && !/^-?0\d/.test(text) && text.length < 16) return Number(text);
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null' || word === '') return null;
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  return quoted?.[2] ?? text;
}

/** How a model says where facts stand. */
export const placeListForm = () =>
  listOf(
    z.object({
      thing: nameField(),
      fact: textField().describe('Empty: the thing itself.'),
      relation: nameField(),
      attribute: textField().describe('Empty: for a thing, or a reference.'),
    }),
  );

export function placesOfForm(form: z.infer<ReturnType<typeof placeListForm>>): readonly TestPlace[] {
  return form.map(({ thing, fact, relation, attribute }) => ({
    thing,
    fact: fact.trim() === '' ? null : fact.trim(),
    relation,
    attribute: attribute.trim() === '' ? null : attribute.trim(),
  }));
}

/** What has no place, and the tests that need it. */
export interface OpenGap extends TestGap {
  readonly tests: readonly number[];
}

/** One line a gap. Of the reasons, only what a role said and code could not take: the design stands beside it. */
export function gapsText(gaps: readonly OpenGap[]): string {
  return gaps
    .map(({ thing, fact, reason, tests }) => {
      const said = reason.startsWith('The given place') ? `: ${reason.split('. ', 1)[0]}` : '';
      return `- ${fact === null ? thing : `${thing}: ${fact}`} (tests ${tests.join(', ')})${said}`;
    })
    .join('\n');
}

/** Rows that tests may refer to, one a line. */
export function sampleSections(samples: readonly StatedRow[]): readonly string[] {
  if (samples.length === 0) return [];
  const lines = samples.map((row) => `- ${rowText(row)}`).join('\n');
  return [
    `Sample rows, to which a test may refer and which it may change by their labels:\n${fence('samples', lines)}`,
  ];
}

/** The rows of a test in one line: `Loan l1 (reader = @ann); …`. */
export function testRowsText({ rows }: Pick<RequirementTest, 'rows'>): string {
  return rows.map(rowText).join('; ');
}

function rowText({ thing, label, facts }: StatedRow): string {
  return `${thing} ${label} (${facts.map(factText).join(', ')})`;
}

function factText({ fact, value }: StatedFact): string {
  return `${fact} = ${isRowReference(value) ? `@${value.row}` : String(value)}`;
}
