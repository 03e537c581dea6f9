import { AskemaError, buildCatalog } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { DesignOptions, DesignOutcome, DesignOutcomeBase } from '@askema/text2schema';
import { describe, expect, it } from 'vitest';
import { askemaTools } from '../askema-tools.ts';
import { fakeDatabase } from '../fixtures/fake-database.ts';

const base: DesignOutcomeBase = {
  ...{ requirement: 'Members borrow books.', runId: 'd1', strategy: 'schema-agent', language: 'en', artefacts: {} },
  ...{ assumptions: ['One member borrows a book at a time.'], transcript: [], rounds: 1, usage: {}, calls: 2 },
  ...{ elapsedMs: 5, solvedBy: ['x'], warnings: [] },
};

function schemaOf(tables: number) {
  const { schema } = buildCatalog({
    dialect: postgresDialect,
    name: 'library',
    relations: Array.from({ length: tables }, (_, at) => ({
      nameParts: { relation: `books_${at}` },
      kind: 'table' as const,
      primaryKey: ['id'],
      attributes: [
        { name: 'id', nativeType: 'integer' },
        { name: 'title', nativeType: 'text' },
      ],
    })),
  });
  return schema;
}

function toolFor(outcome: DesignOutcome) {
  const asked: { readonly requirement: string; readonly options: DesignOptions | undefined }[] = [];
  const design = {
    dialect: postgresDialect,
    text2schema: {
      async design(requirement: string, options?: DesignOptions) {
        asked.push({ requirement, options });
        return outcome;
      },
    },
  };
  const tool = askemaTools({ databases: { shop: fakeDatabase([]) }, design }).at(-1);
  if (tool?.name !== 'design_schema') throw new Error('There is no design_schema.');
  return { tool, asked };
}

const input = { requirement: 'Members borrow books.' };

describe('design_schema', () => {
  it('gives the DDL of the dialect, and hands over signal and listener', async () => {
    const { tool, asked } = toolFor({ ...base, type: 'designed', schema: schemaOf(1), accepted: true });
    const context = { signal: new AbortController().signal, onEvent: () => undefined };
    const { structured, text, isError } = await tool.call(input, context);
    expect(structured).toMatchObject({ type: 'designed', accepted: true, assumptions: base.assumptions });
    expect(structured.ddl).toMatch(/^CREATE TABLE books_0 \(/);
    expect(text).toContain('Assumed: One member borrows a book at a time.');
    expect(isError).toBe(false);
    expect(asked).toEqual([{ requirement: input.requirement, options: context }]);
  });

  it('cuts long DDL behind a whole statement, and says so', async () => {
    const { tool } = toolFor({ ...base, type: 'designed', schema: schemaOf(300), accepted: true });
    const { structured, text } = await tool.call(input);
    expect(structured.ddl).toMatch(/\);\n$/);
    expect(structured.ddl.length).toBeLessThan(6_001);
    expect(structured.truncated).toMatch(/^Only the first statements/);
    expect(text.split('\n')[0]).toContain(structured.truncated);
  });

  it('tells what has to be decided, and what went wrong', async () => {
    const questions = [{ kind: 'ambiguity', question: 'May two share?', quotes: [], assumption: 'No.' }] as const;
    const asking = await toolFor({ ...base, type: 'needsClarification', questions }).tool.call(input);
    expect(asking).toMatchObject({ isError: false, structured: { questions: [{ question: 'May two share?' }] } });
    const error = new AskemaError('MODEL_OUTPUT_INVALID', 'No answer.').toJSON();
    const failed = await toolFor({ ...base, type: 'failed', error }).tool.call(input);
    expect(failed).toMatchObject({
      isError: true,
      structured: { type: 'failed', error: { code: 'MODEL_OUTPUT_INVALID' } },
    });
  });
});
