import { verifyCertificate } from '@askema/normal-form';
import { describe, expect, it } from 'vitest';
import { checkConceptualModel } from '../conceptual/index.ts';
import { checkDesign, mapToRelations, namedSchemaOf, schemaOfNamed } from '../mapping/index.ts';
import { conceptualModelOutput } from '../tasks/conceptual-model.ts';
import {
  logicalDesignTask,
  reportTask,
  reviewOutcome,
  reviewTask,
  testPlanTask,
  testReportTask,
} from '../tasks/index.ts';
import { planFindings } from '../test-plan/plan-findings.ts';
import { runOnSqlite } from '../test-plan/run-fixture.ts';
import {
  DEMONSTRATION_ANSWERS,
  DEMONSTRATION_MODEL,
  DEMONSTRATION_PROPOSAL,
  DEMONSTRATION_REPORT,
  DEMONSTRATION_REQUIREMENT,
  DEMONSTRATION_SCHEMA,
  FURTHER_CASES,
  WORKED_CASE,
} from './index.ts';

/** Read as an answer of a model would be. */
async function read(
  task: { readonly output: { readonly '~standard': { validate: (value: unknown) => unknown } } },
  answer: unknown,
) {
  const result = (await task.output['~standard'].validate(JSON.parse(JSON.stringify(answer)))) as {
    value: unknown;
    issues?: unknown;
  };
  expect(result.issues).toBeUndefined();
  return result.value;
}

describe('the demonstration', () => {
  it('is what each role would have to answer', async () => {
    const { ...answers } = DEMONSTRATION_ANSWERS;
    expect(await read(reportTask, answers['product-manager'][0])).toEqual({
      kind: 'report',
      report: DEMONSTRATION_REPORT,
      next: null,
    });
    expect(await read({ output: conceptualModelOutput }, answers['conceptual-designer'][0])).toMatchObject({
      model: DEMONSTRATION_MODEL,
      doubts: [],
      next: null,
    });
    expect(await read(logicalDesignTask, answers['logical-designer'][0])).toMatchObject({
      proposal: DEMONSTRATION_PROPOSAL,
    });
    expect(await read(logicalDesignTask, answers['logical-designer'][1])).toMatchObject({ proposal: undefined });
    for (const answer of answers['test-executor']) await read(testReportTask, answer);
  });

  it('has a model without findings of code', () => {
    expect(checkConceptualModel(DEMONSTRATION_MODEL, DEMONSTRATION_REPORT)).toEqual([]);
  });

  it('has a review that holds: the first model is rejected for its two issues, the second one approved', async () => {
    const [rejection, approval] = DEMONSTRATION_ANSWERS['conceptual-reviewer'];
    const input = { requirement: DEMONSTRATION_REQUIREMENT, model: DEMONSTRATION_MODEL, findings: [] };
    const first = reviewOutcome(input, (await read(reviewTask, rejection)) as never);
    expect(first.findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['review-missing-attribute', 'error'],
      ['review-wrong-cardinality', 'error'],
    ]);
    expect(reviewOutcome(input, (await read(reviewTask, approval)) as never)).toEqual({ approved: true, findings: [] });
  });

  it('has the schema that the tools make of its proposal, with a certificate for each set', () => {
    const design = mapToRelations(DEMONSTRATION_MODEL, DEMONSTRATION_PROPOSAL);
    // The maker of a model: pointed out, so that the designer thinks twice.
    expect(design.findings.map(({ code, severity }) => [code, severity])).toEqual([['decomposed', 'warning']]);
    expect(sorted(namedSchemaOf(design.schema).relations)).toEqual(sorted(DEMONSTRATION_SCHEMA.relations));
    expect(design.decompositions.every((decomposition) => verifyCertificate(decomposition).valid)).toBe(true);
    expect(checkDesign(design)).toEqual([]);
  });

  it('has tests that a plan may consist of, but for their number', async () => {
    const { plan } = (await read(testPlanTask, DEMONSTRATION_ANSWERS['qa-engineer'][0])) as { plan: never };
    expect(planFindings(plan).map(({ code }) => code)).toEqual(['plan-set-count']);
  });

  it('passes its own tests on a database', async () => {
    const { plan } = (await read(testPlanTask, DEMONSTRATION_ANSWERS['qa-engineer'][0])) as { plan: never };
    const design = mapToRelations(DEMONSTRATION_MODEL, DEMONSTRATION_PROPOSAL);
    const options = { report: DEMONSTRATION_REPORT, conceptual: DEMONSTRATION_MODEL };
    const run = await runOnSqlite(plan, design, options);
    expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(run.counts.passed).toBe(13);
  }, 60_000);

  it('quotes its requirement word for word', () => {
    const quotes = DEMONSTRATION_REPORT.clarifications.flatMap((clarification) => clarification.quotes);
    expect(quotes.filter((quote) => !DEMONSTRATION_REQUIREMENT.includes(quote))).toEqual([]);
  });
});

describe('the cases of the baselines', () => {
  it.each([WORKED_CASE, ...FURTHER_CASES].map((example) => [example.schema.relations.length, example] as const))(
    'are sound schemas: %i relations',
    (_relations, { schema }) => {
      const { findings, schema: tuple } = schemaOfNamed(schema);
      expect(findings).toEqual([]);
      expect(namedSchemaOf(tuple)).toEqual(schema);
    },
  );

  it('have two, four and six relations', () => {
    expect(FURTHER_CASES.map(({ schema }) => schema.relations.length)).toEqual([2, 4, 6]);
  });
});

function sorted<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((one, other) => one.name.localeCompare(other.name));
}
