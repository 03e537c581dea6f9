import { type JsonSchema, type JsonValue, jsonSchemaOf, type Task } from '@askema/core';
import { describe, expect, it } from 'vitest';
import {
  chainOfThoughtTask,
  conceptualModelTask,
  fewShotTask,
  guidedTask,
  logicalDesignTask,
  oneShotTask,
  reportTask,
  reviewTask,
  singleAgentTask,
  testPlanTask,
  testReportTask,
} from './index.ts';

const TASKS = [
  reportTask,
  conceptualModelTask,
  reviewTask,
  logicalDesignTask,
  testPlanTask,
  testReportTask,
  oneShotTask,
  chainOfThoughtTask,
  fewShotTask,
  guidedTask,
  singleAgentTask,
] as const;

describe('the forms that models are asked for', () => {
  it.each(TASKS.map(({ id, output }) => [id, output] as const))(
    'can be had as strict structured output: %s',
    (_id, output) => {
      const schema = jsonSchemaOf(output);
      expect(schema?.type).toBe('object');
      expect(problemsOf(schema as JsonValue, '$')).toEqual([]);
    },
  );

  it('name the candidates for the next speaker', () => {
    const next = (task: Task<never, unknown>) => {
      const properties = jsonSchemaOf(task.output)?.properties as Record<string, JsonSchema> | undefined;
      return JSON.stringify(properties?.next);
    };
    expect(next(conceptualModelTask as Task<never, unknown>)).toContain('"enum":["product-manager"]');
    expect(next(testReportTask as Task<never, unknown>)).toContain(
      '"enum":["product-manager","conceptual-designer","logical-designer","qa-engineer"]',
    );
  });
});

describe('what is read', () => {
  it('a report, or a refusal with its reason', async () => {
    const report = {
      outcome: 'Report',
      language: 'zh',
      title: '图书馆',
      summary: '',
      subjects: [{ name: '图书', attributes: ['书号', ' 书名 ', '', '书号'], description: null }],
      clarifications: [{ kind: 'Ambiguity', question: 'q', quotes: ['a'], assumption: 'b' }],
      next: 'Logical Designer',
    };
    expect(await read(reportTask, report)).toEqual({
      kind: 'report',
      next: 'logical-designer',
      report: {
        language: 'zh',
        title: '图书馆',
        summary: '',
        functions: [],
        subjects: [{ name: '图书', attributes: ['书号', '书名'], description: '' }],
        relationships: [],
        rules: [],
        clarifications: [{ kind: 'ambiguity', question: 'q', quotes: ['a'], assumption: 'b' }],
      },
    });
    expect(await read(reportTask, { outcome: 'refusal', reason: 'A poem.' })).toEqual({
      kind: 'refusal',
      reason: 'A poem.',
    });
  });

  it('a speaker who is no candidate is passed on, because the chat ignores and reports it', async () => {
    const model = { entitySets: [], relationshipSets: [] };
    const next = async (named: unknown) => (await read(conceptualModelTask, { model, next: named })).next;
    expect(await next('test-executor')).toBe('test-executor');
    expect(await next('PRODUCT_MANAGER')).toBe('product-manager');
    expect(await next('none')).toBeNull();
    expect(await next(undefined)).toBeNull();
  });

  it('a model with cardinalities in any case and without empty roles', async () => {
    const { model } = await read(conceptualModelTask, {
      model: {
        entitySets: [{ name: ' Category ', attributes: ['Name'] }],
        relationshipSets: [
          {
            name: 'Contain',
            participants: [
              { entity: 'Category', role: 'parent', cardinality: 'ONE' },
              { entity: 'Category', role: '', cardinality: 'Many' },
            ],
          },
        ],
      },
    });
    expect(model).toEqual({
      entitySets: [{ name: 'Category', attributes: ['Name'] }],
      relationshipSets: [
        {
          name: 'Contain',
          participants: [
            { entity: 'Category', role: 'parent', cardinality: 'one' },
            { entity: 'Category', cardinality: 'many' },
          ],
          attributes: [],
        },
      ],
    });
  });

  it.each([
    ['numeric', 'NUMERIC'],
    ['varchar(255)', 'TEXT'],
    ['Boolean', 'BOOL'],
    ['timestamp', 'DATETIME'],
    ['decimal(10, 2)', 'NUMERIC'],
  ])('the type %s', async (written, type) => {
    const sets = [{ set: 'A', attributes: [{ name: 'a', type: written, constraints: ['NOT NULL'] }] }];
    const { proposal } = await read(logicalDesignTask, { decision: 'propose', sets });
    expect(proposal?.sets[0]?.attributes).toEqual([{ name: 'a', type, constraints: ['not null'] }]);
  });

  it('no type at all is asked for again', async () => {
    const sets = [{ set: 'A', attributes: [{ name: 'a', type: 'polygon' }] }];
    await expect(read(logicalDesignTask, { decision: 'propose', sets })).rejects.toThrow('issues');
  });

  it('a proposal is kept only where none was written', async () => {
    expect((await read(logicalDesignTask, { decision: 'keep', sets: [] })).proposal).toBeUndefined();
    expect((await read(logicalDesignTask, { decision: 'propose', sets: [] })).proposal).toEqual({ sets: [] });
    expect((await read(logicalDesignTask, { decision: 'keep', sets: [{ set: 'A' }] })).proposal?.sets).toHaveLength(1);
  });

  it.each([
    ['TERMINAL', 'TERMINAL'],
    ['"Terminal".', 'TERMINAL'],
    ['the end is not TERMINAL', null],
    ['', null],
    [null, null],
  ])('the end %j', async (end, expected) => {
    expect((await read(testReportTask, { text: 'Bad.', end })).end).toBe(expected);
  });

  it('a plan: base rows where a set needs them, rows as cells, expectations as unions', async () => {
    const { plan } = await read(testPlanTask, {
      base: [
        { target: 'Owner', attributes: ['Owner ID', 'Name'], rows: [[1, 'Ann'], [2]] },
        { target: 'Dog', attributes: ['Dog ID'], rows: [[7]] },
      ],
      sets: [
        {
          title: 'Owners',
          needs: ['owner', 'unknown'],
          given: [{ target: 'Cat', attributes: ['Cat ID'], rows: [[9]] }],
          cases: [
            {
              operation: 'INSERT',
              target: 'Owner',
              attributes: ['Owner ID'],
              values: [1],
              expected: 'Entity_Integrity',
            },
            {
              operation: 'query',
              target: 'Owner',
              where: [{ attribute: 'Name', value: null }],
              attributes: ['Owner ID'],
              expected: 'rows',
              rows: [[2]],
            },
          ],
        },
      ],
    });
    const [set] = plan.sets;
    expect(set?.given).toEqual([
      {
        target: 'Owner',
        values: [
          { attribute: 'Owner ID', value: 1 },
          { attribute: 'Name', value: 'Ann' },
        ],
      },
      {
        target: 'Owner',
        values: [
          { attribute: 'Owner ID', value: 2 },
          { attribute: 'Name', value: null },
        ],
      },
      { target: 'Cat', values: [{ attribute: 'Cat ID', value: 9 }] },
    ]);
    expect(set?.cases.map(({ operation, expected }) => [operation, expected])).toEqual([
      ['insert', { outcome: 'rejected', by: 'entity integrity' }],
      ['query', { outcome: 'rows', rows: [[{ attribute: 'Owner ID', value: 2 }]] }],
    ]);
    expect(set?.cases[1]?.where).toEqual([{ attribute: 'Name', value: null }]);
    expect(set?.cases[1]?.values).toEqual([{ attribute: 'Owner ID', value: null }]);
  });
});

/** As an answer of a model would be read. */
async function read<Out>(task: Task<never, Out>, answer: unknown): Promise<Out> {
  const result = await task.output['~standard'].validate(answer);
  if (result.issues !== undefined) throw new Error(`issues: ${JSON.stringify(result.issues)}`);
  return result.value;
}

/** Where a schema departs from what OpenAI's strict mode takes: open objects, optional properties, anything goes. */
function problemsOf(given: JsonValue | undefined, path: string): readonly string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [`${path}: no schema`];
  const schema = given as JsonSchema;
  const { type, properties, required, items, anyOf, oneOf, additionalProperties } = schema;
  const problems: string[] = [];
  if (
    type === undefined &&
    anyOf === undefined &&
    oneOf === undefined &&
    schema.enum === undefined &&
    schema.const === undefined
  )
    problems.push(`${path}: anything goes`);
  if (additionalProperties !== undefined && additionalProperties !== false) problems.push(`${path}: open`);
  if (properties !== undefined) {
    const entries = Object.entries(properties as Record<string, JsonValue>);
    if (
      JSON.stringify(entries.map(([name]) => name).sort()) !==
      JSON.stringify([...((required ?? []) as string[])].sort())
    )
      problems.push(`${path}: optional properties`);
    problems.push(...entries.flatMap(([name, inner]) => problemsOf(inner, `${path}.${name}`)));
  }
  if (type === 'array') problems.push(...problemsOf(items, `${path}[]`));
  for (const branch of (anyOf ?? oneOf ?? []) as readonly JsonValue[]) problems.push(...problemsOf(branch, `${path}|`));
  return problems;
}
